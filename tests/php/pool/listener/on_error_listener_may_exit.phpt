--TEST--
exit() in a Pool::onError() listener ends the script
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/script.inc';

foreach (['$cache->get("k");', '(new McPatterns\Lock($pool, "l"))->acquire();'] as $operation) {
    echo run_script('
        $pool = new McPatterns\Pool("unix:///nowhere/memcached.sock");
        $cache = new McPatterns\Cache($pool);
        $pool->onError(function () { echo "told\n"; exit("left\n"); });
        register_shutdown_function(fn () => print("shut down\n"));
        try {
            ' . $operation . '
            echo "never\n";
        } catch (Throwable) {
            echo "never caught\n";
        } finally {
            echo "no finally\n";
        }
    '), "--\n";
}
?>
--EXPECT--
told
left
shut down
--
told
left
shut down
--

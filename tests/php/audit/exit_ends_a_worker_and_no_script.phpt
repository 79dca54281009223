--TEST--
exit() in an Audit's check ends the script only within Pool::endRequest()
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$address = start_memcached()->address;
$script = <<<'PHP'
use McPatterns\{Audit, Cache, Pool};

$cache = new Cache(new Pool($argv[1], timeout: 10), $argv[2], ttl: 100);
$audit = new Audit($cache, rate: 1);
$is_first = true;
$compute = function () use (&$is_first) { $is_first || exit(3); return 'value'; };
$read = fn () => $cache->remember('k', 100, $compute);
$read();
$is_first = false;
register_shutdown_function(function () { global $cache; echo ' shut down'; });
$read();
if ($argv[2] === 'between') {
    Pool::endRequest();
    echo 'goes on';
}
echo 'the end';
PHP;
foreach (['between', 'last'] as $where) {
    $process = start_script($script, [$address, $where], [], $log);
    while (($status = proc_get_status($process))['running']) {
        usleep(1000);
    }
    echo "$where: ", file_get_contents($log), ", status $status[exitcode]\n";
    unlink($log);
}
?>
--EXPECT--
between:  shut down, status 3
last: the end shut down, status 0

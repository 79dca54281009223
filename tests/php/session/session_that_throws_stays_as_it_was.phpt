--TEST--
A session whose encoding throws stays unchanged
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('session');
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session.inc';

$server = start_memcached();
const BEGIN = 'ob_start(); class Ends { function __serialize(): array { exit; } } session_id("s"); session_start();';
foreach (['lock', 'merge', 'none'] as $locking) {
    foreach (['php', 'php_serialize'] as $format) {
        foreach (['fn () => 1', 'new Ends'] as $value) {
            $settings = session_settings($server->address, ['mcpatterns.session_locking' => $locking, 'session.serialize_handler' => $format, 'mcpatterns.session_lock_wait' => '0']);
            $server->raw('flush_all');
            run_script(BEGIN . '$_SESSION["a"] = 1;', [], $settings);
            foreach (['try { session_write_close(); } catch (Exception $e) { }', ''] as $end) {
                run_script(BEGIN . "\$_SESSION['b'] = 2; \$_SESSION['c'] = $value; $end", [], $settings);
            }
            echo "$locking, $format, $value: ", run_script(BEGIN . 'echo json_encode($_SESSION); session_abort();', [], $settings), "\n";
        }
    }
}
?>
--EXPECT--
lock, php, fn () => 1: {"a":1}
lock, php, new Ends: {"a":1}
lock, php_serialize, fn () => 1: {"a":1}
lock, php_serialize, new Ends: {"a":1}
merge, php, fn () => 1: {"a":1}
merge, php, new Ends: {"a":1}
merge, php_serialize, fn () => 1: {"a":1}
merge, php_serialize, new Ends: {"a":1}
none, php, fn () => 1: {"a":1}
none, php, new Ends: {"a":1}
none, php_serialize, fn () => 1: {"a":1}
none, php_serialize, new Ends: {"a":1}

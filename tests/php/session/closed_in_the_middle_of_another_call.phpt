--TEST--
Closing the session while $_SESSION is encoded causes only a warning
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
const BEGIN = <<<'CODE'
ob_start();
ini_set('session.serialize_handler', 'php_serialize');
set_error_handler(function (int $level, string $text): bool { echo preg_replace('/^\w+\(\): /', '', $text), "\n"; return true; });
session_id('s');
class Sleeper { static $once = 'CALL'; function __sleep() { [$do, self::$once] = [self::$once, 'time']; $do(); return []; } }
session_start();
$_SESSION['a'] = 1;
session_write_close();
session_start();
$_SESSION['sleeper'] = new Sleeper;
CODE;
const END = 'session_write_close(); restore_error_handler(); session_id("s"); session_start(); echo json_encode($_SESSION), "\n"; session_abort();';

foreach (['session_write_close', 'session_abort', 'session_destroy'] as $call) {
    foreach ([END, ''] as $end) {
        $server->raw('flush_all');
        $code = str_replace('CALL', $call, BEGIN) . $end;
        $settings = session_settings($server->address, ['mcpatterns.session_lock_wait' => '0']);
        echo $call, $end === '' ? ", at the request's end" : '', "\n", preg_replace(['/ \((unix|tls):.*\)/', '/^(?=.)/m'], ['', '  '], run_script($code, [], $settings));
    }
}
?>
--EXPECT--
session_write_close
  mcpatterns: the session was closed during another call: later changes were not stored
  Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct
  {"a":1,"sleeper":{}}
session_write_close, at the request's end
  PHP Request Shutdown: mcpatterns: the session was closed during another call: later changes were not stored
  PHP Request Shutdown: Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct
session_abort
  mcpatterns: the session was closed during another call: later changes were not stored
  Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct
  {"a":1}
session_abort, at the request's end
  PHP Request Shutdown: mcpatterns: the session was closed during another call: later changes were not stored
  PHP Request Shutdown: Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct
session_destroy
  mcpatterns: the session was closed during another call: later changes were not stored
  Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct
  []
session_destroy, at the request's end
  PHP Request Shutdown: mcpatterns: the session was closed during another call: later changes were not stored
  PHP Request Shutdown: Failed to write session data (mcpatterns). Please verify that the current setting of session.save_path is correct

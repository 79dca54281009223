--TEST--
Each end of a script stores its session and releases its lock (E21)
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
$ends = [
    'at its end' => '',
    'exit' => 'exit("bye");',
    'exit in a function, and a shutdown function' => 'register_shutdown_function(fn () => $_SESSION["late"] = 1); (function () { exit; })();',
    'an exception' => 'throw new Exception("uncaught");',
    'a fatal error' => 'eval("class Broken implements Countable {}");',
    'the memory limit' => 'ini_set("memory_limit", "8M"); str_repeat("x", 1 << 24);',
    'the time limit' => 'set_time_limit(1); while (true);',
    'a destructor that throws' => '$x = new class { function __destruct() { throw new Exception("uncaught"); } };',
    'a destructor that changes it' => '$x = new class { function __destruct() { $_SESSION["d"] = 1; } };',
    'written, and not begun again' => 'session_write_close(); $_SESSION["lost"] = 1;',
    'a session with nothing in it' => '$_SESSION = [];',
];
const QUIET = 'ini_set("display_errors", "0"); ini_set("log_errors", "0"); session_id("s"); session_start();';
foreach ($ends as $name => $end) {
    $server->raw('flush_all');
    // The second one does not wait: nobody may hold the lock any more.
    compare_with_files($server, $name, [QUIET . "\$_SESSION['n'] = 1;\n$end", QUIET . 'echo json_encode($_SESSION);'],
        ['mcpatterns.session_lock_wait' => '0']);
}
?>
--EXPECT--
at its end:  {"n":1}
exit: bye {"n":1}
exit in a function, and a shutdown function:  {"n":1,"late":1}
an exception:  {"n":1}
a fatal error:  {"n":1}
the memory limit:  {"n":1}
the time limit:  {"n":1}
a destructor that throws:  {"n":1}
a destructor that changes it:  {"n":1,"d":1}
written, and not begun again:  {"n":1}
a session with nothing in it:  []

--TEST--
A script's end releases its locks unless detached or without autoRelease (L5)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

const PREPARE = '
    $pool = new McPatterns\Pool($argv[1]);
    $lock = new McPatterns\Lock($pool, "job", ttl: 60);
    // The last time before the end.
    function note() { file_put_contents($GLOBALS["argv"][2], hrtime(true)); }
    function fail() { note(); eval("class Fatal implements Countable {}"); }
    // The limit counts what is computed, and writing mostly waits.
    function loop() { for (;;) { note(); for ($i = 0; $i < 200000; $i++); } }
    function leave() { note(); exit(1); }
    function complain() { note(); throw new Exception("uncaught"); }
    $held = fn (...$arguments) => new McPatterns\Lock($pool, "job", ...$arguments);
';
$scripts = [
    'its end' => '$lock->acquire(); note();',
    'exit' => '$lock->acquire(); leave();',
    'an exception' => '$lock->acquire(); complain();',
    'a fatal error' => '$lock->acquire(); fail();',
    'an error that a handler raised' => '$lock->acquire(); note(); trigger_error("over", E_USER_ERROR);',
    'the memory limit' => '$lock->acquire(); note(); $s = str_repeat("x", 1 << 30);',
    'the time limit' => '$lock->acquire(); loop();',
    'unset' => '$lock->acquire(); note(); unset($lock); exit;',
    'a cycle' => '$lock->acquire(); $o = new stdClass; $o->o = $o; $o->lock = $lock; unset($lock, $o); note();',
    'exit in run()' => '$lock->run("leave");',
    'an exception in run()' => '$lock->run("complain");',
    'a fatal error in run()' => '$lock->run("fail");',
    'the time limit in run()' => '$lock->run("loop");',
    'a fatal error in run() without autoRelease' => '$held(ttl: 60, autoRelease: false)->run("fail");',
    'exit in a Fiber' => '$f = new Fiber(fn () => $lock->run(fn () => Fiber::suspend())); $f->start(); leave();',
    'a shutdown function' => 'register_shutdown_function(function () use ($lock) { $lock->acquire(); note(); });',
    'its end, without autoRelease' => '$lock = $held(autoRelease: false); $lock->acquire(); note();',
    'a fatal error, without autoRelease' => '$lock = $held(autoRelease: false); $lock->acquire(); fail();',
    'its end, detached' => '$lock->acquire(); $lock->detach(); note();',
    'a fatal error, detached' => '$lock->acquire(); $lock->detach(); fail();',
];
$server = start_memcached();
$rival = new Lock(new Pool($server->address, timeout: 10), 'job', autoRelease: false);
$noted = $server->path('noted');
$slowest_ms = 0;
foreach ($scripts as $name => $script) {
    $process = start_script(PREPARE . $script, [$server->address, $noted], ['max_execution_time' => 1, 'memory_limit' => '64M', 'display_errors' => 0], $log);
    do {
        usleep(200);
        $is_running = proc_get_status($process)['running'];
        $is_free = is_file($noted) && $rival->acquire();
        $free_at = hrtime(true);
    } while (!$is_free && $is_running);
    proc_close($process);
    $slowest_ms = $is_free ? max($slowest_ms, ($free_at - (int) file_get_contents($noted)) / 1e6) : $slowest_ms;
    $output = file_get_contents($log);
    echo "$name: ", $is_free ? 'free' : 'kept', $output === '' ? '' : " ($output)", "\n";
    $rival->forceRelease();
    array_map('unlink', [$log, $noted]);
}
report_figures(sprintf('free at most %.1f ms after the end of the script', $slowest_ms));
if (at_full_size() && $slowest_ms > 50) {
    echo "free only $slowest_ms ms after its script ended\n";
}
?>
--EXPECT--
its end: free
exit: free
an exception: free
a fatal error: free
an error that a handler raised: free
the memory limit: free
the time limit: free
unset: free
a cycle: free
exit in run(): free
an exception in run(): free
a fatal error in run(): free
the time limit in run(): free
a fatal error in run() without autoRelease: free
exit in a Fiber: free
a shutdown function: free
its end, without autoRelease: kept
a fatal error, without autoRelease: kept
its end, detached: kept
a fatal error, detached: kept

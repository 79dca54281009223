--TEST--
A lock is free when its script has ended: by its end, an exit, an exception, a fatal error or the time limit; one without autoRelease or detached stays (L5)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/script.inc';

const PREPARE = '
    $pool = new McPatterns\Pool($argv[1]);
    $lock = new McPatterns\Lock($pool, "job", ttl: 60);
    function fail() { eval("class Fatal implements Countable {}"); }
    function loop() { for (;;) { } }
';
$scripts = [
    'its end' => '$lock->acquire();',
    'exit' => '$lock->acquire(); exit(1);',
    'an exception' => '$lock->acquire(); throw new Exception("uncaught");',
    'a fatal error' => '$lock->acquire(); fail();',
    'an error that a handler raised' => '$lock->acquire(); trigger_error("over", E_USER_ERROR);',
    'the memory limit' => '$lock->acquire(); $s = str_repeat("x", 1 << 30);',
    'the time limit' => '$lock->acquire(); loop();',
    'unset' => '$lock->acquire(); unset($lock); exit;',
    'a cycle' => '$lock->acquire(); $o = new stdClass; $o->o = $o; $o->lock = $lock; unset($lock, $o);',
    'exit in run()' => '$lock->run(function () { exit; });',
    'an exception in run()' => '$lock->run(function () { throw new Exception("uncaught"); });',
    'a fatal error in run()' => '$lock->run("fail");',
    'the time limit in run()' => '$lock->run("loop");',
    'a fatal error in run() without autoRelease' =>
        '$lock = new McPatterns\Lock($pool, "job", ttl: 60, autoRelease: false); $lock->run("fail");',
    'exit in a Fiber' => '$f = new Fiber(fn () => $lock->run(fn () => Fiber::suspend())); $f->start(); exit;',
    'a shutdown function' => 'register_shutdown_function(function () use ($lock) { $lock->acquire(); });',
    'its end, without autoRelease' => '$lock = new McPatterns\Lock($pool, "job", autoRelease: false); $lock->acquire();',
    'a fatal error, without autoRelease' => '$lock = new McPatterns\Lock($pool, "job", autoRelease: false); $lock->acquire(); fail();',
    'its end, detached' => '$lock->acquire(); $lock->detach();',
    'a fatal error, detached' => '$lock->acquire(); $lock->detach(); fail();',
];
$server = start_memcached();
$rival = new Lock(new Pool($server->address, timeout: 10), 'job');
foreach ($scripts as $name => $script) {
    $output = run_script(PREPARE . $script, [$server->address], ['max_execution_time' => 1, 'memory_limit' => '64M', 'display_errors' => 0]);
    echo "$name: ", $rival->acquire() ? 'free' : 'kept', $output === '' ? '' : " ($output)", "\n";
    $rival->forceRelease();
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

--TEST--
After a fatal error in run(), shutdown functions can use the lock
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

$pool = new Pool('memory://m');
$lock = new Lock($pool, 'job', ttl: 60, autoRelease: false);
$suspended = new Lock($pool, 'other', ttl: 60, autoRelease: false);
$fiber = new Fiber(fn () => $suspended->run(fn () => Fiber::suspend()));
$fiber->start();

register_shutdown_function(function () use ($pool, $lock, $fiber, $suspended) {
    $show = fn (string $what) => print("$what: " . ((new Lock($pool, 'job'))->isLocked() ? 'locked' : 'free') . "\n");
    $show('after the fatal error');
    echo $lock->run(fn () => 'ran'), "\n";
    $show('after another run');
    $lock->run(fn (Lock $lock) => $lock->run(fn () => $show('in a run in a run')));
    $show('after it');
    $lock->acquire();
    $lock->run(fn () => 'held before');
    $show('acquired before a run');
    $suspended->isHeld();
    $fiber->resume('resumed');
    echo $fiber->getReturn(), "\n";
});
$lock->run(fn (Lock $lock) => $lock->run(fn () => eval('class Fatal implements Countable {}')));
?>
--EXPECTF--
Fatal error: %a
after the fatal error: locked
ran
after another run: free
in a run in a run: locked
after it: free
acquired before a run: locked
resumed

--TEST--
Fibers that run() the same Lock release it when the last ends (L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, LockLostException, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$lock = new Lock($pool, 'job', ttl: 10, autoRelease: false);
$rival = new Lock($pool, 'job');
$start = function () use ($lock): Fiber {
    $fiber = new Fiber(function () use ($lock) {
        try {
            return $lock->run(fn () => Fiber::suspend());
        } catch (LockLostException) {
            return 'lost';
        }
    });
    $fiber->start();
    return $fiber;
};
$show = fn (string $what) => print("$what: " . ($rival->isLocked() ? 'locked' : 'free') . "\n");
$end = function (Fiber $fiber) use ($show): void {
    $fiber->resume('fine');
    $show($fiber->getReturn());
};

foreach ([[0, 1], [1, 0]] as $order) {
    $fibers = [$start(), $start()];
    echo 'both inside, and a rival: ', json_encode($rival->acquire()), "\n";
    foreach ($order as $index) {
        $end($fibers[$index]);
    }
}

foreach ([0, 1] as $dropped) {
    $fibers = [$start(), $start()];
    unset($fibers[$dropped]);
    gc_collect_cycles();
    $show('one dropped');
    $end($fibers[1 - $dropped]);
}

$fibers = [$start(), $start()];
try {
    $fibers[0]->throw(new DomainException('of the work'));
} catch (DomainException) {
    $show('one threw');
}
$end($fibers[1]);

// Who began after the loss has lost nothing.
$first = $start();
Clock::advance(20);
$second = $start();
$end($first);
$end($second);

$fibers = [$start(), $start()];
$rival->forceRelease();
$rival->acquire();
$end($fibers[0]);
$end($fibers[1]);
?>
--EXPECT--
both inside, and a rival: false
fine: locked
fine: free
both inside, and a rival: false
fine: locked
fine: free
one dropped: locked
fine: free
one dropped: locked
fine: free
one threw: locked
fine: free
lost: locked
fine: free
lost: locked
lost: locked

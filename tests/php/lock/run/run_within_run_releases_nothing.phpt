--TEST--
Only the outermost nested run() releases the lock, if it acquired it (L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, LockLostException, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$rival = new Lock($pool, 'job');
$show = function (string $what, mixed ...$seen) use ($rival) {
    echo "$what: ", json_encode($seen), $rival->isLocked() ? ', locked' : ', free', "\n";
    $rival->forceRelease();
};
$nothing = fn () => null;

foreach (['in time' => 1, 'just after its end' => 10, 'long after its end' => 20] as $when => $seconds) {
    foreach (['' => true, ', without autoRelease' => false] as $how => $releases) {
        $lock = new Lock($pool, 'job', ttl: 10, autoRelease: $releases);
        $inside = null;
        try {
            $lock->run(function (Lock $lock) use ($rival, $nothing, $seconds, &$inside) {
                Clock::advance($seconds);
                $lock->run($nothing);
                $inside = [$lock->isHeld(verify: true), $rival->acquire()];
            });
            $told = 'fine';
        } catch (LockLostException) {
            $told = 'lost';
        }
        $show("run in run $when$how", $inside, $told);
    }
}

foreach (['autoRelease' => true, 'without autoRelease' => false] as $how => $releases) {
    $make = fn () => new Lock($pool, 'job', ttl: 10, autoRelease: $releases);
    $lock = $make();
    $lock->acquire();
    $lock->run(fn (Lock $lock) => $lock->run($nothing));
    $show("held before, $how", $lock->isHeld());

    $lock->acquire();
    $rival->forceRelease();
    $lock->run($nothing);
    $show("evicted before, $how", $lock->isHeld());

    $lock = $make();
    $lock->acquire();
    Clock::advance(10.5);
    $lock->run($nothing);
    $show("ran out before, $how", $lock->isHeld());

    $lock->run($nothing);
    $lock->acquire();
    unset($lock);
    $show("acquired after a run, $how");
}
?>
--EXPECT--
run in run in time: [[true,false],"fine"], free
run in run in time, without autoRelease: [[true,false],"fine"], free
run in run just after its end: [[true,false],"fine"], free
run in run just after its end, without autoRelease: [[true,false],"fine"], free
run in run long after its end: [[true,false],"lost"], free
run in run long after its end, without autoRelease: [[true,false],"lost"], free
held before, autoRelease: [true], locked
evicted before, autoRelease: [false], free
ran out before, autoRelease: [false], free
acquired after a run, autoRelease: [], free
held before, without autoRelease: [true], locked
evicted before, without autoRelease: [false], free
ran out before, without autoRelease: [false], free
acquired after a run, without autoRelease: [], locked

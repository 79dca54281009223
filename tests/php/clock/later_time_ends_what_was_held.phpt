--TEST--
A later clock ends held locks, an earlier one restores none
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool};

$moves = [
    'advance' => fn () => Clock::advance(14),
    'freeze later' => fn () => Clock::freeze(14),
    'freeze later, then back' => fn () => Clock::freeze(14) ?? Clock::freeze(5),
    'unfreeze' => fn () => Clock::unfreeze(),
    'freeze later, by less' => fn () => Clock::freeze(4),
    'freeze earlier' => fn () => Clock::freeze(0.0),
];
foreach ([1, INF] as $skew) {
    foreach ($moves as $name => $move) {
        Clock::freeze(0.001);
        $pool = new Pool('memory://m');
        $pool->flush();
        $lock = new Lock($pool, 'job', ttl: 10, skew: $skew);
        $lock->acquire();
        $move();
        $other = new Lock($pool, 'job', skew: $skew);
        $holders = (int) $lock->isHeld() + (int) $other->acquire();
        printf("skew %s, %s: held %d, %.0f s left, %s\n", $skew, $name, $lock->isHeld(), $lock->remaining(), $holders > 1 ? 'TWO HOLDERS' : 'never two');
        unset($lock, $other);
    }
}
?>
--EXPECT--
skew 1, advance: held 0, 0 s left, never two
skew 1, freeze later: held 0, 0 s left, never two
skew 1, freeze later, then back: held 0, 0 s left, never two
skew 1, unfreeze: held 0, 0 s left, never two
skew 1, freeze later, by less: held 1, 6 s left, never two
skew 1, freeze earlier: held 1, 10 s left, never two
skew INF, advance: held 0, 0 s left, never two
skew INF, freeze later: held 0, 0 s left, never two
skew INF, freeze later, then back: held 0, 0 s left, never two
skew INF, unfreeze: held 0, 0 s left, never two
skew INF, freeze later, by less: held 1, 6 s left, never two
skew INF, freeze earlier: held 1, 10 s left, never two

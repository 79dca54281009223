--TEST--
run() throws LockLostException for each loss that the work did not request (L10)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, LockLostException, LockTimeoutException, Pool};

Clock::freeze();
$pool = new Pool('memory://m');
$rival = new Lock($pool, 'job', ttl: 10);
$loses = function () use ($rival): void { Clock::advance(20); $rival->acquire() && $rival->release(); };
$loses_to_rival = function () use ($rival): void { Clock::advance(20); $rival->acquire(); };
$gives_up = function (callable $call): void { try { $call(); } catch (LockTimeoutException) { } };

$works = [
    'nothing happens' => fn (Lock $lock) => null,
    'acquired again' => function (Lock $lock) use ($loses) { $loses(); $lock->acquire(); },
    'acquired again, nobody had it' => function (Lock $lock) { Clock::advance(20); $lock->acquire(); },
    'released in vain and acquired again' => function (Lock $lock) use ($loses) { $loses(); $lock->release(); $lock->acquire(); },
    'refreshed in vain' => function (Lock $lock) use ($loses) { $loses(); $lock->refresh(); },
    'another run inside' => function (Lock $lock) use ($loses) { $loses(); $lock->run(fn () => null); },
    'another run inside in vain' => function (Lock $lock) use ($loses_to_rival, $gives_up) {
        $loses_to_rival();
        $gives_up(fn () => $lock->run(fn () => null));
    },
    'taken' => fn (Lock $lock) => $loses_to_rival(),
    'evicted' => fn (Lock $lock) => $rival->forceRelease(),
    'force released when it had run out' => function (Lock $lock) use ($loses) { $loses(); $lock->forceRelease(); },
    'force released when it was gone' => function (Lock $lock) use ($rival) { $rival->forceRelease(); $lock->forceRelease(); },
    'released' => fn (Lock $lock) => $lock->release(),
    'released and acquired again' => fn (Lock $lock) => $lock->release() && $lock->acquire(),
    'force released' => fn (Lock $lock) => $lock->forceRelease(),
    'detached' => fn (Lock $lock) => $lock->detach(),
    'refreshed just after its end' => function (Lock $lock) { Clock::advance(10); $lock->refresh() || print 'lost: '; },
    'run again just after its end' => function (Lock $lock) { Clock::advance(10); $lock->run(fn () => null); },
];
foreach ($works as $name => $work) {
    foreach (['free before' => false, 'held before' => true] as $before => $is_held) {
        $lock = new Lock($pool, 'job', ttl: 10);
        $is_held && $lock->acquire();
        try {
            $lock->run($work);
            $told = 'fine';
        } catch (LockLostException $error) {
            $told = $error->getMessage() === 'The lock "job" was lost while its callback was running' ? 'lost' : $error;
        }
        echo "$name, $before: $told, ", $lock->isHeld(verify: true) ? 'held' : 'not held', "\n";
        $rival->forceRelease();
    }
}

// It can no longer be known who was inside after its deadline.
$lock->acquire();
try {
    $lock->run(fn () => Clock::advance(10.5));
} catch (LockLostException) {
    echo "held before, ran out during the work: told\n";
}
?>
--EXPECT--
nothing happens, free before: fine, not held
nothing happens, held before: fine, held
acquired again, free before: lost, not held
acquired again, held before: lost, held
acquired again, nobody had it, free before: lost, not held
acquired again, nobody had it, held before: lost, held
released in vain and acquired again, free before: lost, not held
released in vain and acquired again, held before: lost, held
refreshed in vain, free before: lost, not held
refreshed in vain, held before: lost, not held
another run inside, free before: lost, not held
another run inside, held before: lost, not held
another run inside in vain, free before: lost, not held
another run inside in vain, held before: lost, not held
taken, free before: lost, not held
taken, held before: lost, not held
evicted, free before: lost, not held
evicted, held before: lost, not held
force released when it had run out, free before: lost, not held
force released when it had run out, held before: lost, not held
force released when it was gone, free before: lost, not held
force released when it was gone, held before: lost, not held
released, free before: fine, not held
released, held before: fine, not held
released and acquired again, free before: fine, not held
released and acquired again, held before: fine, held
force released, free before: fine, not held
force released, held before: fine, not held
detached, free before: fine, not held
detached, held before: fine, not held
lost: refreshed just after its end, free before: fine, not held
lost: refreshed just after its end, held before: lost, not held
run again just after its end, free before: fine, not held
run again just after its end, held before: fine, held
held before, ran out during the work: told

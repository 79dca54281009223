--TEST--
Each method of Lock costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses[0], transport: $transport);
    (new Lock($pool, 'warm up'))->run(fn (Lock $lock) => $lock->token());
    $mark('warm up');
    $lock = new Lock($pool, 'job');
    $other = new Lock($pool, 'job');
    $lock->release(); $mark('release, not held');
    $lock->acquire(); $mark('acquire');
    $other->acquire(); $mark('acquire, taken');
    $lock->token(); $mark('token');
    $lock->token(); $mark('token again');
    $lock->acquire(); $mark('acquire, held');
    $lock->refresh(); $mark('refresh');
    $lock->isHeld(); $lock->remaining(); $lock->owner(); $mark('isHeld, remaining, owner');
    $lock->isHeld(verify: true); $mark('isHeld, verify');
    $lock->isLocked(); $mark('isLocked');
    $lock->currentOwner(); $mark('currentOwner');
    $lock->release(); $mark('release');
    $lock->run(fn () => 1); $mark('run');
    $lock->acquire();
    $mark('-');
    $lock->run(fn () => 1); $mark('run, held before');
    $owner = $lock->detach(); $mark('detach');
    $restored = Lock::restore($pool, 'job', $owner); $mark('restore');
    $restored->forceRelease(); $mark('forceRelease');
    $kept = new Lock($pool, 'job', autoRelease: false);
    $kept->acquire();
    $mark('-');
    $kept->detach(); $mark('detach, without autoRelease');
    $kept->forceRelease();
    $mark('-');
    unset($restored, $lock, $other, $kept); $mark('nothing held');
    Clock::freeze();    // a slow machine must not outlive the TTL before its time
    $lock = new Lock($pool, 'job', ttl: 10, skew: 0, autoRelease: false);
    $lock->acquire(); $mark('-');
    Clock::advance(11);
    $lock->refresh(); $mark('refresh, run out');
    (new Lock($pool, 'job', skew: 0, autoRelease: false))->acquire(); $mark('acquire, over');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
release, not held: 0
acquire: 1
acquire, taken: 2
token: 1
token again: 0
acquire, held: 2, 1 by Direct
refresh: 2, 1 by Direct
isHeld, remaining, owner: 0
isHeld, verify: 1
isLocked: 1
currentOwner: 1
release: 2, 1 by Direct
run: 3, 2 by Direct
run, held before: 3, 2 by Direct
detach: 2, 1 by Direct
restore: 2
forceRelease: 1
detach, without autoRelease: 0
nothing held: 0
refresh, run out: 0
acquire, over: 3

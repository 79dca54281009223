--TEST--
A holder's lock expires on its own clock before others can acquire (L3, L4, L8)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool};

Clock::freeze(1800000000.25);
$pool = new Pool('memory://m');
$lock = new Lock($pool, 'job', ttl: 30);
$rival = new Lock($pool, 'job');

function show(string $when): void
{
    global $lock, $rival;
    // Rounded up to halves of a second, because the steady clock goes on.
    printf("%-22s held %d, %.1f s left, rival %d\n", $when, $lock->isHeld(), ceil(2 * $lock->remaining()) / 2, $rival->acquire());
}

show('before');
$rival->release();
$lock->acquire();
show('acquired');
Clock::advance(29);
show('29 s later');
Clock::advance(1);
show('at its TTL');
Clock::advance(0.99);
show('0.99 s after that');
Clock::advance(0.01);
show('skew after its TTL');
var_dump($lock->release(), $rival->release());

$lock->acquire();
Clock::advance(25);
var_dump($lock->refresh());
show('refreshed');
Clock::advance(25);
var_dump($lock->acquire());
show('acquired again');
var_dump($lock->refresh(100));
show('refreshed for 100 s');
Clock::advance(99);
show('99 s later');
Clock::advance(3);
var_dump($lock->refresh(), $lock->isHeld());
show('lost');
?>
--EXPECT--
before                 held 0, 0.0 s left, rival 1
acquired               held 1, 30.0 s left, rival 0
29 s later             held 1, 1.0 s left, rival 0
at its TTL             held 0, 0.0 s left, rival 0
0.99 s after that      held 0, 0.0 s left, rival 0
skew after its TTL     held 0, 0.0 s left, rival 1
bool(false)
bool(true)
bool(true)
refreshed              held 1, 30.0 s left, rival 0
bool(true)
acquired again         held 1, 30.0 s left, rival 0
bool(true)
refreshed for 100 s    held 1, 100.0 s left, rival 0
99 s later             held 1, 1.0 s left, rival 0
bool(false)
bool(false)
lost                   held 0, 0.0 s left, rival 1

--TEST--
currentOwner() and isLocked() report the unexpired holder and change nothing (L11, L12)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

Clock::freeze();
$pool = new Pool('memory://m');
$looker = new Lock($pool, 'job');
function show(string $when): void
{
    global $looker;
    echo "$when: ", json_encode($looker->currentOwner()), ' ', json_encode($looker->isLocked()), "\n";
}

show('free');
$lock = new Lock($pool, 'job', ttl: 10, owner: "request\n17 \0");
$lock->acquire();
$token = $lock->token();
show('held');
var_dump($lock->currentOwner() === $lock->owner());
Clock::advance(10.999);
show('run out, a thousandth before its skew is over');
Clock::advance(0.001);
show('over');
echo 'to who believes no clock: ', json_encode((new Lock($pool, 'job', skew: INF))->isLocked()), "\n";
echo 'restored: ', json_encode(Lock::restore($pool, 'job', $lock->owner())->isHeld()), "\n";
$lock->forceRelease();

// On a real server nothing of the item changes either: it has the same version before and after.
Clock::unfreeze();
$server = start_memcached();
$pool = new Pool($server->address);
$looker = new Lock($pool, 'job');
$lock = new Lock($pool, 'job', ttl: 10, owner: 'alice');
$lock->acquire();
$before = $server->raw('gets lock:job');
show('on a server');
var_dump($server->raw('gets lock:job') === $before, preg_match('/^VALUE lock:job 0 \d+ \d+\r\nlock2 [0-9a-f]{16} \d+ \d+ \d+ \d{13} [0-9a-f]{16} alice\r\n/', $before));

// What an older version or another client stored is held until memcached drops it.
$server->raw("set lock:job 65536 0 3\r\nbob");
show('of another format');
echo 'acquired: ', json_encode($looker->acquire()), ', restored: ', json_encode(Lock::restore($pool, 'job', 'bob')->isHeld()), "\n";
$looker->forceRelease();
show('released by force');
?>
--EXPECT--
free: null false
held: "request\n17 \u0000" true
bool(true)
run out, a thousandth before its skew is over: "request\n17 \u0000" true
over: null false
to who believes no clock: true
restored: false
on a server: "alice" true
bool(true)
int(1)
of another format: "bob" true
acquired: false, restored: false
released by force: null false

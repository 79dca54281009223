--TEST--
A lock with ttl: INF never expires, and wait: INF is unlimited (L6, L11)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

Clock::freeze();
$pool = new Pool('memory://m');
$lock = new Lock($pool, 'job', ttl: INF);
$other = new Lock($pool, 'job', ttl: 40 * 86400);
$lock->acquire();
Clock::advance(50 * 365 * 86400);
var_dump($lock->isHeld(verify: true), $lock->remaining(), $other->acquire(), $lock->refresh());
// It can be given an end, and lose it again.
var_dump($lock->refresh(10), ceil($lock->remaining()), $lock->refresh(INF), $lock->remaining());
var_dump($lock->release(), $other->acquire());
Clock::advance(40 * 86400 + 0.999);
var_dump($lock->acquire());
Clock::advance(0.001);
var_dump($lock->acquire());
unset($lock, $other);
Clock::unfreeze();

$server = start_memcached();
$holder = new Lock(new Pool($server->address, timeout: 10), 'job', ttl: INF);
var_dump($holder->acquire(), $holder->isHeld(verify: true));
$workers = new Workers(1, function () use ($server) {
    $lock = new Lock(new Pool($server->address, timeout: 10), 'job');
    return [$lock->acquire(INF), $lock->run(fn () => 'ran', wait: INF)];
});
$workers->release();
usleep(100000);
$holder->release();
echo json_encode($workers->results()[0]), "\n";
?>
--EXPECT--
bool(true)
float(INF)
bool(false)
bool(true)
bool(true)
float(10)
bool(true)
float(INF)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
[true,"ran"]

--TEST--
acquire() waits until its deadline, and acquires a lock released meanwhile (L4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$holder = new Lock($pool, 'job');
$holder->acquire();

$waiting = new Lock($pool, 'job');
foreach ([0, 0.25] as $wait) {
    $start = hrtime(true);
    var_dump($waiting->acquire($wait));
    $took = (hrtime(true) - $start) / 1e9;
    echo $took >= $wait && $took < $wait + 5 ? 'as long as told' : "$took s", "\n";
}
// Wherever in a millisecond a wait begins, it is not shorter than told.
$least = INF;
for ($i = 0; $i < 40; $i++) {
    usleep(random_int(0, 1000));
    $start = hrtime(true);
    $waiting->acquire(0.004);
    $least = min($least, hrtime(true) - $start);
}
echo $least >= 4_000_000 ? 'no shorter than told' : "$least ns", "\n";

$workers = new Workers(1, function () use ($server) {
    $lock = new Lock(new Pool($server->address, timeout: 10), 'job');
    return [$lock->acquire(10), $lock->remaining() > 9];
});
$workers->release();
usleep(100000);
$holder->release();
$released = hrtime(true);
var_dump($workers->results()[0]);
// The longest pause is 0.1 s.
var_dump((hrtime(true) - $released) / 1e9 < 2);
?>
--EXPECT--
bool(false)
as long as told
bool(false)
as long as told
no shorter than told
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(true)
}
bool(true)

--TEST--
Only 1 of several objects and processes acquires a lock (L1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
foreach (['job', "a b\r\n\0\xff", str_repeat('long', 1000)] as $name) {
    $lock = new Lock(new Pool($server->address, timeout: 10), $name);
    var_dump($lock->acquire());
    // The same process, by another object and another pool; then other processes.
    var_dump((new Lock(new Pool($server->address, persistent: false), $name))->acquire());
    $others = run_workers(4, fn () => (new Lock(new Pool($server->address, timeout: 10), $name))->acquire());
    echo count(array_filter($others)), " of 4\n";
    var_dump((new Lock(new Pool($server->address, timeout: 10), "$name."))->acquire());
    var_dump((new Lock(new Pool($server->address, prefix: 'other:'), $name))->acquire());
    unset($lock);
}
for ($round = 0; $round < 20; $round++) {
    $winners[] = count(array_filter(run_workers(8, fn () => (new Lock(new Pool($server->address, timeout: 10), "race$round", autoRelease: false))->acquire())));
}
echo implode(' ', array_unique($winners)), " of 8, 20 times\n";
?>
--EXPECT--
bool(true)
bool(false)
0 of 4
bool(true)
bool(true)
bool(true)
bool(false)
0 of 4
bool(true)
bool(true)
bool(true)
bool(false)
0 of 4
bool(true)
bool(true)
1 of 8, 20 times

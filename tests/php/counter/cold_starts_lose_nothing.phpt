--TEST--
Concurrent first increments of a counter are all counted (K2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

[$processes, $starts] = at_full_size() ? [16, 200] : [8, 50];
$server = start_memcached();
$begin = hrtime(true) + 200_000_000;
run_workers($processes, function () use ($server, $starts, $begin) {
    $pool = new Pool($server->address, timeout: 10);
    $pool->ping();
    for ($i = 0; $i < $starts; $i++) {
        // All of them at the same moment.
        while (hrtime(true) < $begin + $i * 4_000_000) {
        }
        (new Counter($pool, "c$i", initial: 100))->increment();
    }
}, 120);
$pool = new Pool($server->address, timeout: 10);
$lost = 0;
for ($i = 0; $i < $starts; $i++) {
    $lost += 100 + $processes - (new Counter($pool, "c$i"))->value();
}
echo "$lost lost\n";
?>
--EXPECT--
0 lost

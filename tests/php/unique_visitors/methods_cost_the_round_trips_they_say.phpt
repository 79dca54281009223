--TEST--
Each method of UniqueVisitors costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Pool, UniqueVisitors};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips([start_memcached(), start_memcached()], function (array $addresses, callable $mark) {
    $pool = new Pool($addresses);
    $pool->ping();
    Clock::freeze(1_800_000_000.0);
    $mark('warm up');
    $unique = new UniqueVisitors($pool, 'page', 86400, 24);
    $unique->hit('anna'); $mark('hit, first of a slot');
    $unique->hit('anna'); $mark('hit, known');
    (new UniqueVisitors($pool, 'page', 86400, 24))->hit('anna'); $mark('hit, known to another object');
    $unique->hit('bert'); $mark('hit');
    $unique->count(); $mark('count');
    $unique->count(new UniqueVisitors($pool, 'other')); $mark('count of two');
    $unique->perSlot(); $mark('perSlot');
    Clock::advance(60);
    $unique->hit('anna'); $mark('hit, a minute later');
    for ($i = 3; $i < 255; $i++) {
        (new UniqueVisitors($pool, "other $i", 86400, 24))->hit('anna');
    }
    $mark('-');
    (new UniqueVisitors($pool, 'page', 86400, 24))->hit('the 256th: carl'); $mark('hit, the 256th');
    $fine = new UniqueVisitors($pool, 'page', 86400, 960);
    $mark('-');
    $fine->count(); $mark('count of 960 slots');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
hit, first of a slot: 2
hit, known: 0
hit, known to another object: 0
hit: 1
count: 1
count of two: 2
perSlot: 1
hit, a minute later: 1
hit, the 256th: 3
count of 960 slots: 3

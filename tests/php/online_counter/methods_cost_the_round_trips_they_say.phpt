--TEST--
Each method of OnlineCounter costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses[0], transport: $transport);
    $pool->ping();
    Clock::freeze();
    ask_for_proofs($pool);
    $mark('warm up');
    $online = new OnlineCounter($pool, 'page', 3600, 2);
    $online->increment(); $mark('increment, first of a slot');
    $online->increment(); $mark('increment');
    $online->hit('anna'); $mark('hit, new');
    $online->hit('anna'); $mark('hit, counted');
    $online->count(); $mark('count');
    $online->count(smooth: true); $mark('count, smooth');
    $online->perSlot(); $mark('perSlot');
    $online->hit('bert');
    $online->hit('carl');
    Clock::advance(3600);
    $mark('-');
    $online->hit('bert'); $mark('hit, changes slots, first of a slot');
    $online->hit('anna'); $mark('hit, changes slots');
    Clock::advance(1800);
    $mark('-');
    $online->hit('dora'); $mark('hit, new, first of a slot');
    $online->hit('carl'); $mark('hit, later than a window');
    // Keys of 8,000 bytes are one request.
    foreach ([60, 240, 1440] as $slots) {
        $wide = new OnlineCounter($pool, 'page', 86400, $slots);
        $wide->count(); $mark("count, $slots slots");
        $wide->count(smooth: true); $mark("count, smooth, $slots slots");
        $wide->perSlot(); $mark("perSlot, $slots slots");
    }
    $long = new OnlineCounter(new Pool($addresses[0], prefix: str_repeat('p', 64), transport: $transport), str_repeat('n', 150), 60, 60);
    $mark('-');
    $long->count(); $mark('count, 60 slots with long names');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
increment, first of a slot: 2
increment: 1
hit, new: 3, 2 by Direct
hit, counted: 1
count: 1
count, smooth: 1
perSlot: 1
hit, changes slots, first of a slot: 5
hit, changes slots: 4
hit, new, first of a slot: 4, 2 by Direct
hit, later than a window: 3
count, 60 slots: 1
count, smooth, 60 slots: 1
perSlot, 60 slots: 1
count, 240 slots: 1
count, smooth, 240 slots: 1
perSlot, 240 slots: 1
count, 1440 slots: 4
count, smooth, 1440 slots: 4
perSlot, 1440 slots: 4
count, 60 slots with long names: 2

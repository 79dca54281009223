--TEST--
Every method of OnlineCounter costs the round trips that its documentation says
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool};

require __DIR__ . '/../_support/round_trips.inc';

$counted = count_round_trips([start_memcached()], function (array $addresses, callable $mark) {
    $pool = new Pool($addresses[0]);
    $pool->ping();
    Clock::freeze();
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
    Clock::advance(3600);
    $online->hit('bert');
    $mark('-');
    $online->hit('anna'); $mark('hit, counts again');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
increment, first of a slot: 2
increment: 1
hit, new: 3
hit, counted: 1
count: 1
count, smooth: 1
perSlot: 1
hit, counts again: 4

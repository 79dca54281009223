--TEST--
Each method of Counter costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses[0], timeout: 10, transport: $transport);
    $pool->ping();
    ask_for_proofs($pool);
    $mark('warm up');
    $counter = new Counter($pool, 'views');
    $counter->value(); $mark('value, absent');
    $counter->increment(); $mark('increment, absent');
    $counter->increment(); $mark('increment');
    $counter->decrement(); $mark('decrement');
    $counter->value(); $mark('value');
    $counter->drain(); $mark('drain');
    $counter->set(5); $mark('set');
    $counter->reset(); $mark('reset');
    $computed = new Counter($pool, 'computed', fn () => 7);
    $computed->increment(); $mark('increment, absent, with a callback');
    $computed->increment(); $mark('increment, with a callback');
    $computed->value(); $mark('value, with a callback');
    $computed->reset(); $mark('reset, with a callback');
    $computed->value(); $mark('value, absent, with a callback');
    $computed->set(PHP_INT_MAX); $mark('set, to the largest');
    try {
        $computed->increment();
    } catch (McPatterns\StoredValueException) {
    }
    $mark('increment, beyond');
    // A drain that takes half of its guards' time or more starts again with fewer: more names would take a slow machine so long.
    $names = array_map(fn (int $i) => "many:$i", range(1, 6));
    foreach ($names as $name) {
        (new Counter($pool, $name))->set(5);
    }
    $mark('warm up');
    try {
        Counter::drainMany($pool, $names, fn () => throw new DomainException('no database'));
    } catch (DomainException) {
    }
    $mark('drainMany, of 6, and back');
    Counter::drainMany($pool, $names, fn () => 1); $mark('drainMany, of 6');
    Counter::drainMany($pool, $names, fn () => 1); $mark('drainMany, of 6 that are 0');
    Counter::drainMany($pool, array_slice($names, 0, 1), fn () => 1); $mark('drainMany, of one');
});
unset($counted['warm up']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
value, absent: 1
increment, absent: 2
increment: 1
decrement: 1
value: 1
drain: 5, 4 by Direct
set: 1
reset: 1
increment, absent, with a callback: 7, 6 by Direct
increment, with a callback: 1
value, with a callback: 1
reset, with a callback: 1
value, absent, with a callback: 7, 6 by Direct
set, to the largest: 1
increment, beyond: 2
drainMany, of 6, and back: 25, 5 by Direct
drainMany, of 6: 19, 4 by Direct
drainMany, of 6 that are 0: 13, 3 by Direct
drainMany, of one: 3

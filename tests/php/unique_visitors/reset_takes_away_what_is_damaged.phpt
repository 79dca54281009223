--TEST--
UniqueVisitors::reset() removes the window's visitors and damaged slots
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, StoredValueException, UniqueVisitors};

require __DIR__ . '/../../_support/memcached.inc';

Clock::freeze(1700000000.0);
$server = start_memcached();
$pool = new Pool($server->address);
$visitors = new UniqueVisitors($pool, 'page', window: 600, slots: 6);
$others = new UniqueVisitors($pool, 'other', window: 600, slots: 6);
$visitors->reset();
foreach (range(1, 4) as $slot) {
    array_map(fn ($i) => $visitors->hit("$slot/$i"), range(1, 10));
    $others->hit("visitor $slot");
    Clock::advance(100);
}
echo $visitors->count(), ' and ', $others->count(), "\n";
$visitors->reset();
echo $visitors->count(), ' and ', $others->count(), "\n";
// What this process knew of the slot it knows no more: the same visitors count again.
array_map(fn ($i) => $visitors->hit("5/$i"), range(1, 5));
$visitors->reset();
array_map(fn ($i) => $visitors->hit("5/$i"), range(1, 5));
echo $visitors->count(), "\n";

$slot = 'unique:page:' . intdiv(1700000400, 100);
echo str_starts_with($server->raw("get $slot"), 'VALUE') ? 'there' : 'not there', "\n";
$server->raw("set $slot 0 0 4\r\nxxxx");
foreach (['count', 'perSlot', 'reset', 'count', 'hit', 'count'] as $method) {
    try {
        $answer = $method === 'hit' ? $visitors->hit('somebody') : $visitors->$method();
        echo "$method: ", json_encode($answer), "\n";
    } catch (StoredValueException $exception) {
        echo "$method: StoredValueException\n";
    }
}
?>
--EXPECT--
40 and 4
0 and 4
5
there
count: StoredValueException
perSlot: StoredValueException
reset: null
count: 0
hit: null
count: 1

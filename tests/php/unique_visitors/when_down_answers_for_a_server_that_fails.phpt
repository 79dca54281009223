--TEST--
whenDown replaces results of hit(), count() and perSlot() during an outage
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, StoredValueException, UniqueVisitors};

require __DIR__ . '/../../_support/when_down.inc';

answer_outages(fn (Pool $pool) => new UniqueVisitors($pool, 'readers', whenDown: 5), [
    'hit' => fn (UniqueVisitors $readers) => $readers->hit('ada'),
    'count' => fn (UniqueVisitors $readers) => $readers->count(),
    'perSlot' => fn (UniqueVisitors $readers) => $readers->perSlot(),
    'reset' => fn (UniqueVisitors $readers) => $readers->reset(),
]);

// In a union the object that is asked decides, whichever server is away.
[$alive, $dead] = [start_memcached(), start_memcached()];
$here = fn (?int $whenDown) => new UniqueVisitors(new Pool($alive->address), 'here', whenDown: $whenDown);
$there = fn (?int $whenDown) => new UniqueVisitors(new Pool($dead->address), 'there', whenDown: $whenDown);
$here(null)->hit('ada');
$dead->kill();
$ask = (new Outage('dead', McPatterns\Transport::Direct))->ask(...);
foreach ([fn () => $here(7)->count($there(null)), fn () => $there(7)->count($here(null)), fn () => $here(null)->count($there(7))] as $call) {
    echo $ask($call), "\n";
}

Clock::freeze(1700000000.0);
$alive->raw('set unique:odd:' . intdiv(1700000000, 3600) . " 0 0 5\r\nhello");
try {
    (new UniqueVisitors(new Pool($alive->address), 'odd', whenDown: 3))->count();
} catch (StoredValueException) {
    echo "StoredValueException\n";
}
?>
--EXPECT--
dead, Libmemcached: hit null, count 5, perSlot [], reset ServerException, counted 3
whenDown replaced the result of "readers": its server is down, key readers
frozen, Libmemcached: hit null, count 5, perSlot [], reset ServerException, counted 3
whenDown replaced the result of "readers": its server is down, key readers
dead, Direct: hit null, count 5, perSlot [], reset ServerException, counted 3
whenDown replaced the result of "readers": its server is down, key readers
frozen, Direct: hit null, count 5, perSlot [], reset ServerException, counted 3
whenDown replaced the result of "readers": its server is down, key readers
7
7
ServerException
StoredValueException

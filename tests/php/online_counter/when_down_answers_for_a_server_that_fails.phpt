--TEST--
whenDown replaces each OnlineCounter result during an outage
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool, StoredValueException};

require __DIR__ . '/../../_support/when_down.inc';

answer_outages(fn (Pool $pool) => new OnlineCounter($pool, 'shop', whenDown: 3), [
    'increment' => fn (OnlineCounter $online) => $online->increment(),
    'hit' => fn (OnlineCounter $online) => $online->hit('ada'),
    'count' => fn (OnlineCounter $online) => $online->count(),
    'smooth' => fn (OnlineCounter $online) => $online->count(smooth: true),
    'perSlot' => fn (OnlineCounter $online) => $online->perSlot(),
]);

// One of two servers: a part of the slots is not shown as the whole, and the server that failed is the one that is told of.
[$alive, $dead] = [start_memcached(), start_memcached()];
$pool = new Pool([$alive->address, $dead->address]);
$pool->onError(function (string $message, array $context) use ($alive, $dead): void {
    $which = match ($context['server']) { $alive->address => 'alive', $dead->address => 'dead' };
    echo "$context[kind] of the one that is $which\n";
});
$dead->kill();
$online = new OnlineCounter($pool, 'shop', 60, 60, whenDown: -1);
echo $online->count(), "\n";

$now = new Pool($alive->address);
Clock::freeze(1700000000.0);
$alive->raw('set online:odd:' . intdiv(1700000000, 60) - 1 . " 0 0 5\r\nhello");
try {
    (new OnlineCounter($now, 'odd', whenDown: 3))->count();
} catch (StoredValueException) {
    echo "StoredValueException\n";
}
?>
--EXPECT--
dead, Libmemcached: increment null, hit false, count 3, smooth 3, perSlot [], counted 5
whenDown replaced the result of "shop": its server is down, key shop
frozen, Libmemcached: increment null, hit false, count 3, smooth 3, perSlot [], counted 5
whenDown replaced the result of "shop": its server is down, key shop
dead, Direct: increment null, hit false, count 3, smooth 3, perSlot [], counted 5
whenDown replaced the result of "shop": its server is down, key shop
frozen, Direct: increment null, hit false, count 3, smooth 3, perSlot [], counted 5
whenDown replaced the result of "shop": its server is down, key shop
server of the one that is dead
when_down of the one that is dead
-1
StoredValueException

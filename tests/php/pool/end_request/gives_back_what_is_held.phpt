--TEST--
Pool::endRequest() releases claims, not locks, and a second call sends nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool, Semaphore};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 300);
$status = fn (string $key): string => $cache->entry($key)->status->name;
$asked = fn (): int => array_sum(array_intersect_key($server->stats(), ['cmd_get' => 1, 'cmd_set' => 1, 'cmd_touch' => 1]));
foreach (['a', 'b', 'c', 'd'] as $key) {
    $cache->set($key, 'old');
    $cache->expire($key);
}

$cache->get('a');
$cache->lookup('b');
(new Cache(new Pool($server->address, persistent: false, timeout: 10), ttl: 100, lease: 300))->getMultiple(['c', 'd']);
$lock = new Lock($pool, 'held', ttl: 60);
$kept = new Lock($pool, 'kept', ttl: 60, autoRelease: false);
$permit = new Semaphore($pool, 'one', permits: 1, ttl: 60);
var_dump($lock->acquire(), $kept->acquire(), $permit->acquire());
echo 'before: ', implode(' ', array_map($status, ['a', 'b', 'c', 'd'])), "\n";

Pool::endRequest();
echo 'after: ', implode(' ', array_map($status, ['a', 'b', 'c', 'd'])), "\n";
var_dump($lock->isHeld(verify: true), $permit->isHeld(verify: true), $kept->isHeld(verify: true));
unset($lock, $permit);
var_dump((new Lock($pool, 'held', ttl: 60))->acquire(), (new Semaphore($pool, 'one', permits: 1, ttl: 60))->acquire(),
    (new Lock($pool, 'kept', ttl: 60))->acquire());

$before = $asked();
Pool::endRequest();
echo 'asked by the second: ', $asked() - $before, "\n";

echo "what was given back can be had again, and nothing is stored under it\n";
var_dump($cache->publish('b', 'late'), $cache->lookup('b')->status->name);
$pool->close();
Pool::endRequest();
var_dump($status('b'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
before: Busy Busy Busy Busy
after: Stale Stale Stale Stale
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
asked by the second: 0
what was given back can be had again, and nothing is stored under it
bool(false)
string(7) "Elected"
string(5) "Stale"

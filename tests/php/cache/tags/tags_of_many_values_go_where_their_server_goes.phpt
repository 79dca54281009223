--TEST--
Failover during a tagged getMultiple() affects only that server's keys
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$addresses = array_column($servers, 'address');
$pool = new Pool($addresses, timeout: 1, retryAfter: 100, failover: true);
$keys = array_map(fn ($i) => "key $i", range(1, 60));
$there = array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === name_of($addresses[0])));
$others = array_values(array_diff($keys, $there));
$ways = [
    'a view' => fn () => (new Cache($pool, ttl: 3600))->tagged('one', 'two'),
    'a clearable cache' => fn () => new Cache($pool, ttl: 3600, clearable: true),
];

foreach ($ways as $name => $make) {
    $cache = $make();
    $cache->setMultiple(array_combine($keys, $keys));
    $servers[0]->kill();
    $gone = $cache->getMultiple($keys);
    $computed = $cache->rememberMany($there, 3600, fn (array $missing) => array_combine($missing, $missing));
    $away = $cache->getMultiple($keys);

    $servers[0]->start();
    Clock::advance(101);
    $back = $cache->getMultiple($keys);
    echo "$name: while it goes ", count(array_filter($gone)) === count($others) ? 'the others' : 'not the others',
        ', away ', $away === array_combine($keys, $keys) ? 'all' : 'not all',
        ', when it is back ', count(array_filter($back)) === count($others) ? 'the others' : 'not the others', "\n";
    // Each server's numbers are its own: what is computed now is fresh.
    $cache->rememberMany($keys, 3600, fn (array $missing) => array_combine($missing, $missing));
    var_dump($cache->getMultiple($keys) === array_combine($keys, $keys));
}
?>
--EXPECT--
a view: while it goes the others, away all, when it is back the others
bool(true)
a clearable cache: while it goes the others, away all, when it is back the others
bool(true)

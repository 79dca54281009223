--TEST--
A value with 2 copies survives either server, and is restored
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 0.01);
$cache = new Cache($pool, ttl: 100, copies: 2);
$key = 'k1';
[$first, $second] = $pool->serverFor($key) === $servers[0]->name ? $servers : array_reverse($servers);
$retry = function (callable $ask) {
    $deadline = microtime(true) + 10;
    while (!$ask() && microtime(true) < $deadline) {
        usleep(20_000);
    }
};

echo "evicted on either\n";
$cache->set($key, 'value');
$first->raw("delete $key");
echo $cache->get($key), ', put back: ', json_encode(!str_starts_with($first->raw("get $key"), 'END')), "\n";
$second->raw("delete $key");
echo $cache->get($key), "\n";

echo "killed\n";
$cache->set($key, 'newer');
$first->kill();
echo $cache->get($key), ' ', json_encode($cache->getMultiple([$key, 'absent'])), ' ', json_encode($cache->has($key)), "\n";
echo 'true only when both have it: ', json_encode([$cache->set($key, 'newest'), $cache->delete('d'), $cache->touch($key), $cache->add('a', 1)]), "\n";
echo 'remember elects on the other: ', $cache->remember('cold', 100, fn () => 'computed'), ' ', $cache->remember('cold', 100, fn () => 'again'), "\n";

echo "back, and empty\n";
$first->start();
$retry(fn () => $pool->ping()[$first->name] ?? false);
echo $cache->get($key), "\n";
var_dump($cache->delete($key), $cache->get($key));
$first->raw('flush_all');
var_dump($cache->get($key));
var_dump($cache->set($key, 'after'), $cache->get($key));

echo "deleted, and either copy lost afterwards\n";
var_dump($cache->forget($key), $cache->forget($key));
$second->raw('flush_all');
var_dump($cache->get($key), $cache->add($key, 'added'), $cache->pull($key), $cache->pull($key));
?>
--EXPECT--
evicted on either
value, put back: true
value
killed
newer {"k1":"newer","absent":null} true
true only when both have it: [false,false,false,false]
remember elects on the other: computed computed
back, and empty
newest
bool(true)
NULL
NULL
bool(true)
string(5) "after"
deleted, and either copy lost afterwards
bool(true)
bool(false)
NULL
bool(true)
string(5) "added"
NULL

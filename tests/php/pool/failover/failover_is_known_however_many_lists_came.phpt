--TEST--
Failover state survives its Pool and 100 other lists
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$list = array_column($servers, 'address');
$make = fn () => new Pool($list, timeout: 0.4, retryAfter: 10, failover: true);
$pool = $make();
$key = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 50)), fn ($key) => $pool->serverFor($key) === name_of($list[0])))[0];
$cache = new Cache($pool, ttl: 3600);
$cache->set($key, 'old');
$servers[0]->freeze();
$cache->get($key);
// Not sent: the server is left alone.
$cache->delete($key);
unset($pool, $cache);
for ($i = 0; $i < 100; $i++) {
    (new Cache(new Pool(["memory://$i", 'memory://other'], failover: true)))->get($key);
}
$servers[0]->thaw();
Clock::advance(11);
var_dump((new Cache($make()))->has($key));
?>
--EXPECT--
bool(false)

--TEST--
Failover keeps the state of 64 unused lists, outages first
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
[$first, $second] = array_column($servers, 'address');
$make = fn (array $list) => new Pool($list, timeout: 0.3, retryAfter: 10, persistent: false, failover: true);
$lists = [[$first, $second], [$second, $first]];
$look = function (array $list) use ($make) {
    $cache = new Cache($make($list));
    foreach (range(1, 20) as $i) {
        $cache->get("key $i");
    }
};

// Of each list a key that its server was not told to delete.
$missed = [];
foreach ($lists as $number => $list) {
    $pool = $make($list);
    $missed[] = array_values(array_filter(array_map(fn ($i) => "missed $number $i", range(1, 50)), fn ($key) => $pool->serverFor($key) === name_of($first)))[0];
    (new Cache($pool, ttl: 3600))->set($missed[$number], 'old');
}
unset($pool);
$servers[0]->freeze();
foreach ($lists as $number => $list) {
    $cache = new Cache($make($list), ttl: 3600);
    $cache->get($missed[$number]);
    $cache->delete($missed[$number]);
}
unset($cache);
$servers[0]->thaw();
Clock::advance(11);

foreach (range(1, 100) as $i) {
    $look([$first, "memory://$i"]);
}
echo 'a hundred without an outage later: ', json_encode((new Cache($make($lists[1])))->has($missed[1])), "\n";
foreach (range(1, 64) as $i) {
    $look([$second, "unix:///nowhere/$i.sock"]);
}
echo 'with one: ', json_encode((new Cache($make($lists[0])))->has($missed[0])), "\n";
?>
--EXPECT--
a hundred without an outage later: false
with one: true

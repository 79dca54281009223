--TEST--
No Pool uses a recovered server before its late writes executed
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/relay.inc';

$server = start_memcached();
$proxy = new Relay($server->address);
$common = ['servers' => [$proxy->address, start_memcached()->address], 'timeout' => 10, 'persistent' => false, 'failover' => true, 'transport' => Transport::Direct];
$make = fn (array $options = []) => new Cache(new Pool(...$options + $common), ttl: 3600, grace: 3600);
$pool = new Pool(...$common);
for ($i = 0; $pool->serverFor($key = "key $i") !== name_of($proxy->address); $i++);
unset($pool);

$cache = $make(['timeout' => 1]);
$cache->set($key, 'first');
$stored = (int) $server->stats()['cmd_set'];
$proxy->hold();
var_dump($cache->set($key, 'late'), $cache->set($key, 'newest'));
unset($cache);
// The Pool is gone, and others' connections find their way: they stay where it is.
$others = [$make(), $make(['timeout' => 11]), $make(['retryAfter' => 6]), $make(['transport' => Transport::Libmemcached])];
$look = fn () => array_map(fn ($other) => $other->peek($key), $others);
echo json_encode($look()), "\n";
$proxy->release();
for ($i = 0; $i < 5000 && $server->stats()['cmd_set'] == $stored; $i++) {
    usleep(1000);
}
// Then they are back, and the server was told what it missed.
for ($i = 0; $i < 5000 && $look() !== [null, null, null, null]; $i++) {
    usleep(1000);
}
echo json_encode($look()), "\n";
?>
--EXPECT--
bool(false)
bool(true)
["newest","newest","newest","newest"]
[null,null,null,null]

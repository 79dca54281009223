--TEST--
Distribution::OneAtATime finds each key of a default php-memcached
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached');
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, Distribution, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [];
for ($i = 0; $i < 3; $i++) {
    $servers[] = start_memcached(['tcp' => true]);
}
$keys = array_map(fn (int $i) => "user:$i:" . md5((string) $i), range(1, 300));
foreach ([['', [1, 1, 1]], ['site:', [1, 5, 2]]] as [$prefix, $weights]) {
    $memcached = new Memcached;
    $memcached->setOption(Memcached::OPT_PREFIX_KEY, $prefix);
    $memcached->addServers(array_map(fn ($server, $weight) => [$server->host, $server->port, $weight], $servers, $weights));
    foreach ($keys as $number => $key) {
        $memcached->set($key, $number);
        $memcached->set("hits:$key", 100);
    }
    $written = array_map(fn ($server, $weight) => "$server->address:$weight", $servers, $weights);
    $pool = new Pool($written, $prefix, Distribution::OneAtATime);
    $cache = new Cache($pool, foreign: true);
    $values = count(array_filter($keys, fn (string $key, int $number) => $cache->peek($key) === $number, ARRAY_FILTER_USE_BOTH));
    $counts = count(array_filter($keys, fn (string $key) => (new Counter($pool, "hits:$key"))->increment() === 101));
    echo "$values values, $counts counters\n";
}
?>
--EXPECT--
300 values, 300 counters
300 values, 300 counters

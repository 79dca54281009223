--TEST--
1,000 pools with 1,000 prefixes keep 1,000 values apart over one connection per server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$before = array_map(fn ($server) => (int) $server->stats()['curr_connections'], $servers);
$caches = [];
for ($i = 0; $i < 1000; $i++) {
    $caches[] = new Cache(new Pool([$servers[0]->address, $servers[1]->address], "prefix$i:"));
}
foreach ($caches as $i => $cache) {
    for ($k = 0; $k < 4; $k++) {
        $cache->set("k$k", $i);
    }
}
$wrong = 0;
foreach ($caches as $i => $cache) {
    $wrong += $cache->getMultiple(['k0', 'k1', 'k2', 'k3']) !== ['k0' => $i, 'k1' => $i, 'k2' => $i, 'k3' => $i];
}
echo "wrong: $wrong\n";
foreach ($servers as $index => $server) {
    echo 'connections: ', $server->stats()['curr_connections'] - $before[$index], "\n";
}
$pool = new Pool([$servers[0]->address, $servers[1]->address], 'own:', persistent: false);
(new Cache($pool))->getMultiple(['k0', 'k1', 'k2', 'k3']);
echo 'with its own: ', $servers[0]->stats()['curr_connections'] - $before[0], "\n";
?>
--EXPECT--
wrong: 0
connections: 1
connections: 1
with its own: 2

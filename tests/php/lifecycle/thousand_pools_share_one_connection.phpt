--TEST--
1,000 pools with own prefixes separate values over 1 connection per server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

// memcached needs a moment to notice that one was closed, as each of those that ask here is.
function connections(PrivateMemcached $server): int
{
    $count = -1;
    do {
        $before = $count;
        usleep(50000);
        $count = (int) $server->stats()['curr_connections'];
    } while ($count !== $before);
    return $count;
}

$servers = [start_memcached(), start_memcached()];
$before = array_map('connections', $servers);
// So many that each server has some, wherever their addresses put them.
$keys = array_map(fn ($i) => "k$i", range(1, 20));
$caches = [];
for ($i = 0; $i < 1000; $i++) {
    $caches[] = new Cache(new Pool([$servers[0]->address, $servers[1]->address], "prefix$i:"));
}
foreach ($caches as $i => $cache) {
    $cache->setMultiple(array_fill_keys($keys, $i));
}
$wrong = 0;
foreach ($caches as $i => $cache) {
    $wrong += $cache->getMultiple($keys) !== array_fill_keys($keys, $i);
}
echo "wrong: $wrong\n";
foreach ($servers as $index => $server) {
    echo 'connections: ', connections($server) - $before[$index], "\n";
}
$pool = new Pool([$servers[0]->address, $servers[1]->address], 'own:', persistent: false);
(new Cache($pool))->getMultiple($keys);
echo 'with its own: ', connections($servers[0]) - $before[0], "\n";
?>
--EXPECT--
wrong: 0
connections: 1
connections: 1
with its own: 2

--TEST--
1 of 16 concurrent pull() or add() calls succeeds (C15)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$keys = at_full_size() ? 5000 : 150;
$seed = new Cache(new Pool($server->address), ttl: 100);
for ($i = 0; $i < $keys; $i++) {
    $seed->set("pulled $i", $i);
    $seed->set("counted $i", $i) && $seed->increment("counted $i");
    $seed->set("old $i", $i) && $seed->expire("old $i");
}
$results = run_workers(16, function () use ($server, $keys) {
    $cache = new Cache(new Pool($server->address, timeout: 5), ttl: 100);
    $got = ['pulled' => 0, 'counted' => 0, 'added' => 0, 'added over old' => 0];
    for ($i = 0; $i < $keys; $i++) {
        $got['pulled'] += $cache->pull("pulled $i") === $i;
        $got['counted'] += $cache->pull("counted $i") === $i + 1;
        $got['added'] += $cache->add("added $i", getmypid());
        $got['added over old'] += $cache->add("old $i", getmypid());
    }
    return $got;
}, 60);
foreach (array_keys($results[0]) as $name) {
    echo $name, ': ', array_sum(array_column($results, $name)) - $keys, " too many\n";
}
?>
--EXPECT--
pulled: 0 too many
counted: 0 too many
added: 0 too many
added over old: 0 too many

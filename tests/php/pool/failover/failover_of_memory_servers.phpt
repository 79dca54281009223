--TEST--
Failover changes nothing for reachable, single and memory:// servers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
foreach ([$server->address, 'memory://a', 'memory://a, memory://b', [$server->address, 'memory://a']] as $servers) {
    $pool = new Pool($servers, failover: true);
    $plain = new Cache(new Pool($servers), ttl: 60);
    $cache = new Cache($pool, ttl: 60);
    $keys = array_map(fn ($i) => "key $i", range(1, 30));
    $cache->setMultiple(array_fill_keys($keys, 'value'));
    $same = array_filter($keys, fn ($key) => $cache->get($key) === 'value' && $plain->get($key) === 'value');
    $cache->set('number', 5);
    echo count($same), ' ', $cache->increment('number', 2), ' ', $cache->update('number', fn ($n) => $n + 1), ' ',
        $plain->pull('number'), ' ', json_encode($cache->get('number')), ' ', count(array_filter($cache->getMultiple($keys))), "\n";
    $cache->deleteMultiple($keys);
}
?>
--EXPECT--
30 7 8 8 null 30
30 7 8 8 null 30
30 7 8 8 null 30
30 7 8 8 null 30

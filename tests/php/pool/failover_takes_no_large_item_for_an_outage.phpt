--TEST--
An item above mcpatterns.item_size_limit is a miss and opens no breaker
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.item_size_limit=2M
--FILE--
<?php
use McPatterns\{Cache, Pool, Status, Transport};

require __DIR__ . '/../../_support/memcached.inc';

$servers = [start_memcached(['arguments' => ['-I', '8m']]), start_memcached()];
$list = array_column($servers, 'address');
by_each_transport(function (Transport $transport) use ($servers, $list) {
    $pool = new Pool($list, timeout: 20, retryAfter: 100, transport: $transport, failover: true);
    $cache = new Cache($pool, ttl: 3600, grace: 3600);
    $keys = array_values(array_filter(array_map(fn ($i) => "key$i", range(1, 60)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
    $large = array_pop($keys);
    $servers[0]->raw("set $large 0 0 3000000 noreply\r\n" . str_repeat('v', 3000000) . "\r\nversion\r\n", 20);
    $cache->setMultiple(array_fill_keys($keys, 'fresh'));

    $answers = [$cache->get($large, 'a miss'), $cache->getMultiple([$large])[$large], $cache->has($large)];
    echo json_encode($answers), str_contains($pool->lastErrors()[$servers[0]->name]['message'], 'reply that is too large') ? ' too large' : ' otherwise', "\n";
    $fresh = array_filter($keys, fn ($key) => $cache->entry($key)->status === Status::Fresh);
    echo count($keys) - count($fresh), " of the others are old or gone\n";
    echo $servers[0]->raw("get $keys[0]\r\n") === "END\r\n" ? 'elsewhere' : 'at home', "\n";
});
?>
--EXPECT--
["a miss",null,false] too large
0 of the others are old or gone
at home

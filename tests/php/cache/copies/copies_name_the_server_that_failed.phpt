--TEST--
update() of a value with copies names the server that is down, not one that still has a copy
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, ServerException};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 30);
$cache = new Cache($pool, ttl: 100, copies: 2);
for ($i = 0; $i < 30; $i++) {
    $cache->set("key $i", $i);
}
$servers[1]->kill();
$named = [];
for ($i = 0; $i < 30; $i++) {
    try {
        $cache->update("key $i", fn ($value) => $value + 1);
    } catch (ServerException $e) {
        $at = array_filter(array_column($servers, 'name'), fn ($name) => str_contains($e->getMessage(), " on $name: "));
        $named += array_flip(array_keys($at));
    }
}
echo 'servers named: ', json_encode(array_keys($named)), "\n";
array_map(fn ($server) => $server->dispose(), $servers);
?>
--EXPECT--
servers named: [1]

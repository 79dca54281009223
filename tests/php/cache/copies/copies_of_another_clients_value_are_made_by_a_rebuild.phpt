--TEST--
Two copies and foreign: what another client stored is an old value where that client places it, and whatever changes it makes copies
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 5);
$make = fn () => new Cache($pool, ttl: 100, grace: 100, copies: 2, foreign: true);
$has_copy = fn (PrivateMemcached $server, string $key) => str_contains($server->raw("get $key"), ' 65536 ');
$ways = [
    'remember' => fn (Cache $cache, string $key) => $cache->remember($key, null, fn () => 'new'),
    'set' => fn (Cache $cache, string $key) => $cache->set($key, 'set'),
    'update' => fn (Cache $cache, string $key) => $cache->update($key, fn ($old) => $old . '!'),
    'add' => fn (Cache $cache, string $key) => $cache->add($key, 'added'),
    'pull' => fn (Cache $cache, string $key) => $cache->pull($key),
    'delete' => fn (Cache $cache, string $key) => $cache->delete($key),
];
foreach (['where it belongs' => 0, 'elsewhere' => 1] as $where => $place) {
    foreach ($ways as $name => $way) {
        [$home, $other] = $pool->serverFor($name) === $servers[0]->name ? $servers : array_reverse($servers);
        [$home, $other][$place]->raw("set $name 0 0 5\r\nplain");
        $cache = $make();
        $before = [$cache->peek($name), $cache->entry($name)->status->name];
        $answer = $way($cache, $name);
        echo "$where, $name: ", json_encode([...$before, $answer, $make()->peek($name), $has_copy($home, $name) && $has_copy($other, $name)]), "\n";
        array_map(fn ($server) => $server->raw("delete $name"), $servers);
    }
}
?>
--EXPECT--
where it belongs, remember: ["plain","Stale","new","new",true]
where it belongs, set: ["plain","Stale",true,"set",true]
where it belongs, update: ["plain","Stale","plain!","plain!",true]
where it belongs, add: ["plain","Stale",true,"added",true]
where it belongs, pull: ["plain","Stale","plain",null,true]
where it belongs, delete: ["plain","Stale",true,null,true]
elsewhere, remember: [null,"Miss","new","new",true]
elsewhere, set: [null,"Miss",true,"set",true]
elsewhere, update: [null,"Miss","!","!",true]
elsewhere, add: [null,"Miss",true,"added",true]
elsewhere, pull: [null,"Miss",null,null,false]
elsewhere, delete: [null,"Miss",true,null,true]

--TEST--
A Cache with 2 copies keeps another client's value until a write
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

const KEYS = 10;

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 5);
$server_of = fn (string $key, int $copy) => $servers[(int) ($pool->serverFor($key) !== $servers[0]->name) ^ $copy];
$make = fn () => new Cache($pool, ttl: 100, grace: 100, copies: 2);

/* All copies have "ours"; then php-memcached sets "theirs", and this reads. */
$count = function (string $name, Closure $read) use ($make, $server_of) {
    $answers = [];
    $replaced = 0;
    for ($i = 0; $i < KEYS; $i++) {
        $key = "$name-$i";
        $make()->set($key, 'ours');
        $server_of($key, 0)->raw("set $key 0 0 6\r\ntheirs");
        $answers[] = json_encode($read($make(), $key));
        $replaced += str_contains($server_of($key, 0)->raw("get $key"), 'theirs') ? 0 : 1;
    }
    echo "$name: ", json_encode(array_count_values($answers)), ", replaced: $replaced of ", KEYS, "\n";
};
$count('peek', fn (Cache $cache, string $key) => $cache->peek($key));
$count('has', fn (Cache $cache, string $key) => $cache->has($key));
$count('many', fn (Cache $cache, string $key) => $cache->getMultiple([$key])[$key]);

$cache = $make();
foreach (['remember' => fn () => $cache->remember('remember', null, fn () => 'computed', force: true), 'set' => fn () => $cache->set('set', 'set')] as $do => $write) {
    $cache->set($do, 'ours');
    $server_of($do, 0)->raw("set $do 0 0 6\r\ntheirs");
    $answer = $write();
    $shown = $make()->peek($do);
    $server_of($do, 0)->raw("delete $do");
    echo "$do: ", json_encode([$answer, $shown, $make()->peek($do)]), "\n";
}

// Another client's delete is none: copy 1 has the value still.
$cache->set('deleted', 'ours');
$server_of('deleted', 0)->raw('delete deleted');
echo 'deleted by another client: ', json_encode($cache->peek('deleted')), "\n";
?>
--EXPECT--
peek: {"\"ours\"":10}, replaced: 0 of 10
has: {"true":10}, replaced: 0 of 10
many: {"\"ours\"":10}, replaced: 0 of 10
remember: ["computed","computed","computed"]
set: [true,"set","set"]
deleted by another client: "ours"

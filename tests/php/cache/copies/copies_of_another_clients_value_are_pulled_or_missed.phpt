--TEST--
Two copies: what another client has stored on copy 0 can be pulled, and is a miss for a cache without grace; what the other copy has is never the answer
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 5);
$copy_0_of = fn (string $key) => $servers[(int) ($pool->serverFor($key) !== $servers[0]->name)];
$make = fn (float $grace) => new Cache($pool, ttl: 100, grace: $grace, copies: 2, foreign: true, wait: 0);

/* All copies have "ours"; then another client sets "theirs", this is done, and copy 0 is lost where $is_lost. */
$show = function (float $grace, string $name, bool $is_lost, Closure $do) use ($make, $copy_0_of) {
    $key = str_replace(' ', '-', "$name-$grace");
    $make($grace)->set($key, 'ours');
    $copy_0_of($key)->raw("set $key 0 0 6\r\ntheirs");
    try {
        $answer = $do($make($grace), $key);
    } catch (Exception $e) {
        $answer = $e->getMessage();
    }
    if ($is_lost) {
        $copy_0_of($key)->raw("delete $key");
    }
    echo "grace $grace, $name: ", json_encode([$answer, $make($grace)->peek($key)]), "\n";
};

$show(100, 'pull', true, fn (Cache $cache, string $key) => $cache->pull($key));

$show(0, 'peek', false, fn (Cache $cache, string $key) => $cache->peek($key));
$show(0, 'has', false, fn (Cache $cache, string $key) => $cache->has($key));
$show(0, 'many', false, fn (Cache $cache, string $key) => $cache->getMultiple([$key])[$key]);
$show(0, 'pull', false, fn (Cache $cache, string $key) => $cache->pull($key));
$show(0, 'lookup', false, fn (Cache $cache, string $key) => $cache->lookup($key)->value);
$show(0, 'remember', true, fn (Cache $cache, string $key) => $cache->remember($key, null, fn () => 'computed'));
$show(0, 'update', true, fn (Cache $cache, string $key) => $cache->update($key, fn ($old) => json_encode($old)));
$show(0, 'add', true, fn (Cache $cache, string $key) => $cache->add($key, 'added'));

// While somebody computes over it.
$show(0, 'another computes', false, fn (Cache $cache, string $key) =>
    $cache->remember($key, null, fn () => json_encode([$make(0)->peek($key), $make(0)->lookup($key)->value])));
?>
--EXPECT--
grace 100, pull: ["theirs",null]
grace 0, peek: [null,null]
grace 0, has: [false,null]
grace 0, many: [null,null]
grace 0, pull: [null,null]
grace 0, lookup: [null,null]
grace 0, remember: ["computed","computed"]
grace 0, update: ["null","null"]
grace 0, add: [true,"added"]
grace 0, another computes: ["[null,null]","[null,null]"]

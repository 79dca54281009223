--TEST--
Two copies: what another client has stored on copy 0 is the answer with foreign, and stays where it is, with foreign or without
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

const KEYS = 10;

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 5);
$server_of = fn (string $key, int $copy) => $servers[(int) ($pool->serverFor($key) !== $servers[0]->name) ^ $copy];
$copy_of = fn (string $key, int $copy) => $server_of($key, $copy)->raw("get $key");
$make = fn (bool $foreign) => new Cache($pool, ttl: 100, grace: 100, copies: 2, foreign: $foreign);

/* All copies have "ours"; then php-memcached sets "theirs", and this reads. */
$count = function (string $name, bool $foreign, Closure $read) use ($make, $server_of, $copy_of) {
    $answers = [];
    $replaced = 0;
    for ($i = 0; $i < KEYS; $i++) {
        $key = str_replace(' ', '-', "$name-$i-" . (int) $foreign);
        $make($foreign)->set($key, 'ours');
        $server_of($key, 0)->raw("set $key 0 0 6\r\ntheirs");
        $answers[] = json_encode($read($make($foreign), $key));
        $replaced += str_contains($copy_of($key, 0), 'theirs') ? 0 : 1;
    }
    echo $name, $foreign ? ', foreign: ' : ': ', json_encode(array_count_values($answers)), ", replaced: $replaced of ", KEYS, "\n";
};
foreach ([true, false] as $foreign) {
    $count('peek', $foreign, fn (Cache $cache, string $key) => $cache->peek($key));
    $count('has', $foreign, fn (Cache $cache, string $key) => $cache->has($key));
    $count('many', $foreign, fn (Cache $cache, string $key) => $cache->getMultiple([$key])[$key]);
}

/* What is made of it takes its place, on both copies and whatever version copy 1 has: here one from a clock far ahead. */
foreach (['remember', 'get', 'update', 'touch', 'set'] as $do) {
    $cache = $make(true);
    Clock::freeze(microtime(true) + 50);
    $cache->set($do, 'ours');
    Clock::unfreeze();
    $server_of($do, 0)->raw("set $do 0 0 6\r\ntheirs");
    $answer = match ($do) {
        'remember' => $cache->remember($do, null, fn () => 'computed'),
        'get' => [$cache->get($do), $cache->publish($do, 'published')],
        'update' => $cache->update($do, fn ($old) => "$old!"),
        'touch' => $cache->touch($do, 100),
        'set' => $cache->set($do, 'set'),
    };
    $shown = $make(true)->peek($do);
    $server_of($do, 0)->raw("delete $do");
    echo "$do: ", json_encode([$answer, $shown, $make(true)->peek($do)]), "\n";
}

// Another client's delete is none: copy 1 has the value still.
$cache->set('deleted', 'ours');
$server_of('deleted', 0)->raw('delete deleted');
echo 'deleted by another client: ', json_encode($cache->peek('deleted')), "\n";
?>
--EXPECT--
peek, foreign: {"\"theirs\"":10}, replaced: 0 of 10
has, foreign: {"true":10}, replaced: 0 of 10
many, foreign: {"\"theirs\"":10}, replaced: 0 of 10
peek: {"\"ours\"":10}, replaced: 0 of 10
has: {"true":10}, replaced: 0 of 10
many: {"\"ours\"":10}, replaced: 0 of 10
remember: ["computed","computed","computed"]
get: [[null,true],"published","published"]
update: ["theirs!","theirs!","theirs!"]
touch: [true,"theirs","theirs"]
set: [true,"set","set"]
deleted by another client: "ours"

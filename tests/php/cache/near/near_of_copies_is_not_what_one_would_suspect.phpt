--TEST--
A near Cache with copies serves nothing older than this host's changes (P2, P3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.4, retryAfter: 60);
$pool = $make();
$keys = array_filter(array_map(fn ($i) => "key $i", range(1, 60)), fn ($key) => $pool->serverFor($key) === $servers[0]->name);
[$key, $deleted] = array_values($keys);

/* One of several processes of this host. */
$process = function (string $do, string $key, string $value = '') use ($make) {
    static $kept;
    $kept ??= new Cache($make(), ttl: 3600, copies: 2, near: 60);
    $cache = $do === 'anew' ? new Cache($make(), ttl: 3600, copies: 2, near: 60) : $kept;
    return match ($do) {
        'set' => $cache->set($key, $value),
        'delete' => $cache->delete($key),
        'get', 'anew' => json_encode($cache->get($key)) . ($cache->stats()['near'] ? ' near' : ' asked'),
        'one copy' => json_encode((new Cache($make(), near: 60))->get($key)),
    };
};
[$noticed, $blind] = [new Actor($process), new Actor($process)];
$blind->ask('set', $key, 'first');
echo 'set: ', $blind->ask('anew', $key), ', ', $noticed->ask('anew', $key), "\n";
$noticed->ask('set', $key, 'old');
echo 'set again: ', $blind->ask('anew', $key), ', ', $noticed->ask('anew', $key), "\n";
$noticed->ask('delete', $key);
echo 'deleted: ', $blind->ask('anew', $key), "\n";
$blind->ask('set', $key, 'old');
$blind->ask('set', $deleted, 'old');
echo 'its other copies are no copies: ', $blind->ask('one copy', $key), "\n";
echo 'both: ', $blind->ask('anew', $key), ', ', $noticed->ask('get', $key), "\n";

$servers[0]->freeze();
$noticed->ask('set', $key, 'new');
$noticed->ask('delete', $deleted);
$servers[0]->thaw();
echo 'who saw nothing: ', $blind->ask('anew', $key), ', ', $blind->ask('anew', $key), "\n";
echo 'who noticed: ', $noticed->ask('anew', $key), ', ', $noticed->ask('anew', $deleted), "\n";
?>
--EXPECT--
set: "first" asked, "first" near
set again: "old" asked, "old" near
deleted: null asked
its other copies are no copies: "old"
both: "old" asked, "old" near
who saw nothing: "old" asked, "old" near
who noticed: "new" asked, null asked

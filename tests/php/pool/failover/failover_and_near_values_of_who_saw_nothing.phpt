--TEST--
Processes that noticed an outage ignore others' outdated near values (P2, P3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.4, retryAfter: 60, failover: true);
$pool = $make();
$keys = array_filter(array_map(fn ($i) => "key $i", range(1, 60)), fn ($key) => $pool->serverFor($key) === $servers[0]->name);
[$key, $deleted] = array_values($keys);

/* One of several processes of this host. */
$process = function (string $do, string $key, string $value = '') use ($make) {
    static $kept;
    $kept ??= new Cache($make(), ttl: 3600, near: 60);
    $cache = $do === 'anew' ? new Cache($make(), ttl: 3600, near: 60) : $kept;
    return match ($do) {
        'set' => $cache->set($key, $value),
        'delete' => $cache->delete($key),
        'get', 'anew' => json_encode($cache->peek($key)) . ($cache->stats()['near'] ? ' near' : ' asked'),
        'many' => $cache->getMultiple([$key])[$key],
    };
};
[$noticed, $blind] = [new Actor($process), new Actor($process)];
foreach ([$key, $deleted] as $one) {
    $blind->ask('set', $one, 'old');
    $blind->ask('get', $one);
}
echo 'before: ', $noticed->ask('anew', $key), "\n";

$servers[0]->freeze();
$noticed->ask('delete', $deleted);
$noticed->ask('set', $key, 'new');
echo 'meanwhile: ', $noticed->ask('get', $key), ', ', $noticed->ask('get', $key), "\n";
$servers[0]->thaw();

// It asks the server, which has them, and keeps them near.
echo 'who saw nothing: ', $blind->ask('anew', $key), ', ', $blind->ask('anew', $key), "\n";
echo 'who noticed: ', $noticed->ask('anew', $key), ', ', $noticed->ask('get', $key), ', ', $noticed->ask('many', $key), ', ',
    $noticed->ask('anew', $deleted), "\n";
?>
--EXPECT--
before: "old" near
meanwhile: "new" asked, "new" near
who saw nothing: "old" asked, "old" near
who noticed: "new" asked, "new" near, new, null asked

--TEST--
An invalidation on a recovered server ends near values on this host (F4, P2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

const KEYS = 3;

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), 'p:', timeout: 0.4, retryAfter: 5, failover: true);
$pool = $make();
$keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 100)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
$other = array_pop($keys);

/* One of several processes of this host. */
$process = function (string $do, array $keys, string $tag = '') use ($make) {
    static $cache;
    $cache ??= new Cache($make(), ttl: 3600, near: 60, clearable: true);
    $near = fn () => $cache->stats()['near'];
    $before = $near();
    $values = match ($do) {
        'set' => array_map(fn ($key) => $cache->tagged($tag)->set($key, 'old'), $keys),
        'the tag' => [$cache->deleteTags($tag)],
        'everything' => [$cache->clear()],
        'the values' => array_map(fn ($key) => $cache->delete($key), $keys),
        'ask' => array_map(fn ($key) => $cache->peek($key), $keys),
        'later' => [Clock::advance(6)],
    };
    return count(array_filter($values)) . ', ' . $near() - $before . ' near';
};
[$noticed, $blind] = [new Actor($process), new Actor($process)];

foreach (['the tag', 'everything', 'the values'] as $round => $change) {
    $now = array_slice($keys, $round * KEYS, KEYS);
    $blind->ask('set', $now, "tag $round");
    $servers[0]->freeze();
    $noticed->ask('ask', [$other]);
    $told = $noticed->ask($change, $now, "tag $round");
    $servers[0]->thaw();
    // It asks the server, which was told of nothing, and then itself.
    $before = [$blind->ask('ask', $now), $blind->ask('ask', $now)];
    $noticed->ask('later', []);
    $noticed->ask('ask', [$other]);
    echo "$change: ", implode('; ', [$told, ...$before, $blind->ask('ask', $now)]), "\n";
}
?>
--EXPECT--
the tag: 0, 0 near; 3, 0 near; 3, 3 near; 0, 0 near
everything: 0, 0 near; 3, 0 near; 3, 3 near; 0, 0 near
the values: 3, 0 near; 3, 0 near; 3, 3 near; 0, 0 near

--TEST--
A delete on a recovered server ends near values on this host (F4, P2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

const KEYS = 6;

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), 'p:', timeout: 0.4, retryAfter: 5, failover: true);
$pool = $make();
$home = fn (string $server) => array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 100)), fn ($key) => $pool->serverFor($key) === name_of($server)));
$keys = array_slice($home($servers[0]->address), 0, KEYS + 1);
$other = array_pop($keys);

/* One of several processes of this host. */
$process = function (string $do, array $keys) use ($make) {
    static $cache;
    $cache ??= new Cache($make(), ttl: 3600, near: 60);
    $near = fn () => $cache->stats()['near'];
    $before = $near();
    $values = match ($do) {
        'set' => array_map(fn ($key) => $cache->set($key, 'old'), $keys),
        'delete' => array_map(fn ($key) => $cache->delete($key), $keys),
        'values' => array_map(fn ($key) => $cache->peek($key), $keys),
        'later' => [Clock::advance(6)],
    };
    return count(array_filter($values)) . ', ' . $near() - $before . ' near';
};
[$noticed, $blind] = [new Actor($process), new Actor($process)];
$blind->ask('set', $keys);
$servers[0]->freeze();
$noticed->ask('values', [$other]);
$noticed->ask('delete', $keys);
$servers[0]->thaw();

// It asks the server, which has them all, and then itself.
echo 'who saw nothing: ', $blind->ask('values', $keys), "\n";
echo 'again: ', $blind->ask('values', $keys), "\n";
$noticed->ask('later', []);
echo 'who comes back: ', $noticed->ask('values', [$other]), "\n";
echo 'who saw nothing: ', $blind->ask('values', $keys), "\n";
?>
--EXPECT--
who saw nothing: 6, 0 near
again: 6, 6 near
who comes back: 0, 0 near
who saw nothing: 0, 0 near

--TEST--
Processes that noticed an outage never serve the recovered copy's stale values (D4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.5, retryAfter: 10);
$pool = $make();
$keys = array_map(fn ($i) => "key $i", range(1, 60));
$keys = array_slice(array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === $servers[0]->name)), 0, 8);
[$changed, $deleted] = array_chunk($keys, 4);

/* One of several processes, each with a clock of its own. */
$process = function (string $do, array $keys = [], ?string $value = null) use ($make) {
    static $cache;
    $cache ??= new Cache($make(), ttl: 3600, copies: 2);
    return match ($do) {
        'set' => array_values(array_unique(array_map(fn ($key) => $cache->set($key, $value), $keys))),
        'delete' => array_values(array_unique(array_map(fn ($key) => $cache->delete($key), $keys))),
        'get' => array_values(array_unique(array_map(fn ($key) => $cache->get($key), $keys))),
        'many' => array_values(array_unique($cache->getMultiple($keys))),
        'remember' => array_values(array_unique(array_map(fn ($key) => $cache->remember($key, null, fn () => $value), $keys))),
        'later' => Clock::advance(11),
    };
};
[$writer, $reader, $blind] = [new Actor($process), new Actor($process), new Actor($process)];
echo 'all copies have them: ', json_encode($writer->ask('set', $keys, 'old')), "\n";
$reader->ask('get', $keys);
$blind->ask('get', $keys);

$servers[0]->freeze();
echo 'with copy 0 out of reach: ', json_encode([$writer->ask('set', $changed, 'new'), $writer->ask('delete', $deleted)]), "\n";
echo 'found on the other: ', json_encode([$reader->ask('get', $changed), $reader->ask('many', $changed), $reader->ask('get', $deleted)]), "\n";
$servers[0]->thaw();

// It is there again, with what it had. This process saw nothing, and asks copy 0 alone.
echo 'who saw nothing: ', json_encode([$blind->ask('get', $changed), $blind->ask('get', $deleted)]), "\n";
foreach (['writer' => $writer, 'reader' => $reader] as $name => $actor) {
    $actor->ask('later');
    echo "$name: ", json_encode([$actor->ask('get', $changed), $actor->ask('many', $changed), $actor->ask('remember', $changed, 'computed'),
        $actor->ask('get', $deleted), $actor->ask('many', $deleted)]), "\n";
}
// The next write evens out; then all see it.
echo 'written again: ', json_encode([$writer->ask('set', $changed, 'newest'), $writer->ask('delete', $deleted)]), "\n";
foreach (['writer' => $writer, 'reader' => $reader, 'who saw nothing' => $blind] as $name => $actor) {
    echo "$name: ", json_encode([$actor->ask('get', $changed), $actor->ask('get', $deleted)]), "\n";
}
?>
--EXPECT--
all copies have them: [true]
with copy 0 out of reach: [[false],[false]]
found on the other: [["new"],["new"],[null]]
who saw nothing: [["old"],["old"]]
writer: [["new"],["new"],["new"],[null],[null]]
reader: [["new"],["new"],["new"],[null],[null]]
written again: [[true],[true]]
writer: [["newest"],[null]]
reader: [["newest"],[null]]
who saw nothing: [["newest"],[null]]

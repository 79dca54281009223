--TEST--
A deleted key stays deleted on the failover server after another outage
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

const KEYS = 10;

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.4, retryAfter: 5, failover: true);
$pool = $make();
$keys = array_slice(array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 100)), fn ($key) => $pool->serverFor($key) === $servers[0]->name)), 0, KEYS);
[$cache, $later] = [new Cache($pool, ttl: 3600, grace: 3600), fn () => Clock::advance(6)];
$all = fn (string $method, ...$arguments) => count(array_filter($keys, fn ($key) => $cache->$method($key, ...$arguments)));

// A process that has never asked the first server while it answered.
$stranger = new Actor(fn (array $keys) => count(array_filter($keys, fn ($key) => (new Cache($make()))->entry($key)->status === Status::Stale)));

$cache->set($keys[0], 'heard');
foreach (['first', 'second'] as $outage) {
    $servers[0]->freeze();
    echo "$outage outage: ", $all('has'), ' there, ', $all('peek'), " peeked\n";
    if ($outage === 'second') {
        echo 'never heard: ', $stranger->ask($keys), " old\n";
    }
    // What was stored in this outage is there in it, old or new.
    echo 'set: ', $all('set', 'elsewhere'), ', has: ', $all('has'), "\n";
    $servers[0]->thaw();
    $later();
    echo 'back: ', $all('has'), ', set: ', $all('set', 'value'), ', deleted: ', $all('delete'), "\n";
}
?>
--EXPECT--
first outage: 0 there, 0 peeked
set: 10, has: 10
back: 0, set: 10, deleted: 10
second outage: 0 there, 0 peeked
never heard: 10 old
set: 10, has: 10
back: 0, set: 10, deleted: 10

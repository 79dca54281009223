--TEST--
A deleted value with 2 copies stays deleted after its server recovers (D4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$servers = [start_memcached(), start_memcached()];
$make = fn () => new Cache(new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 5), ttl: 3600, grace: 3600, copies: 2);
$pool = new Pool(array_column($servers, 'address'));
$keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 200)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
[$noticed, $failing, $elected, $asked, $many] = $keys;

/* One of two processes that have seen the outage. */
$process = function (string $do, string $key = '') use ($make) {
    static $cache;
    $cache ??= $make();
    return match ($do) {
        'peek' => $cache->peek($key),
        'later' => Clock::advance(6),
    };
};
$other = new Actor($process);
$cache = $make();

foreach ($keys as $key) {
    $cache->set($key, 'deleted');
}
$servers[0]->freeze();
$cache->get($noticed);
$other->ask('peek', $noticed);
echo 'deleted: ', json_encode(array_unique(array_map(fn ($key) => $cache->delete($key), $keys))), "\n";
$servers[0]->thaw();
Clock::advance(6);
$other->ask('later');

/* All that read it, in both processes. */
$found = fn (string $key) => json_encode([$cache->get($key), $cache->getMultiple([$key])[$key], $cache->entry($key)->value, $other->ask('peek', $key)]);
echo 'back: ', $found($asked), "\n";
echo 'computed: ', json_encode([$cache->remember($asked, null, fn () => 'new'), $cache->remember($asked, null, fn () => 'newer')]), ' ', $found($asked), "\n";
echo 'of many: ', json_encode([$cache->rememberMany([$many], null, fn () => [$many => 'new'])[$many], $cache->rememberMany([$many], null, fn () => [$many => 'newer'])[$many]]), ' ', $found($many), "\n";

// While it is computed, and after that has failed.
$cache->remember($elected, null, function () use ($found, $other, $elected) {
    echo 'meanwhile: ', $found($elected), "\n";
    return 'new';
});
echo 'then: ', $found($elected), "\n";
try {
    $cache->remember($failing, null, fn () => throw new RuntimeException('no database'));
} catch (RuntimeException $failure) {
    echo $failure->getMessage(), ': ', $found($failing), "\n";
}
// Both copies have it.
$servers[0]->kill();
echo 'copy 1: ', json_encode(array_map(fn ($key) => $cache->peek($key), [$asked, $many, $elected])), "\n";
?>
--EXPECT--
deleted: [false]
back: [null,null,null,null]
computed: ["new","new"] ["new","new","new","new"]
of many: ["new","new"] ["new","new","new","new"]
meanwhile: [null,null,null,null]
then: ["new","new","new","new"]
no database: [null,null,null,null]
copy 1: ["new","new","new"]

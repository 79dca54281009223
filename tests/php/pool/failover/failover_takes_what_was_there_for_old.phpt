--TEST--
Processes that noticed an outage treat the recovered server's values as stale
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

const KEYS = 60;

$servers = [start_memcached(), start_memcached(), start_memcached()];
$make = fn () => new Pool(array_column($servers, 'address'), timeout: 0.4, retryAfter: 10, failover: true);

/* One of several processes, each with a clock of its own. */
$process = function (string $do, ?string $value = null, ?array $keys = null) use ($make) {
    static $cache, $computed = 0;
    $cache ??= new Cache($make(), ttl: 3600, grace: 3600);
    $keys ??= array_map(fn ($i) => "key $i", range(1, KEYS));
    return match ($do) {
        'set' => array_map(fn ($key) => $cache->set($key, $value), $keys),
        'delete' => array_map(fn ($key) => $cache->delete($key), $keys),
        'fresh' => array_filter($keys, fn ($key) => $cache->entry($key)->status === Status::Fresh),
        'values' => array_map(fn ($key) => $cache->peek($key), $keys),
        'remember' => array_map(fn ($key) => $cache->remember($key, null, fn () => $value), $keys),
        'later' => Clock::advance(11),
    };
};

[$early, $late, $blind] = [new Actor($process), new Actor($process), new Actor($process)];
$blind->ask('set', 'old');
$early->ask('values');
$late->ask('values');

$pool = $make();
$there = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, KEYS)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
$elsewhere = array_values(array_diff(array_map(fn ($i) => "key $i", range(1, KEYS)), $there));
$deleted = array_splice($there, 0, 3);
echo count($there) > 5 && count($elsewhere) > 20 ? 'enough' : 'too few', " keys\n";

$servers[0]->freeze();
// Meanwhile it is computed on the other servers, once, and read there by whoever notices.
$early->ask('remember', 'new', $there);
$early->ask('delete', null, $deleted);
echo 'elsewhere: ', json_encode(array_unique($late->ask('values', null, $there))), "\n";
// What was never away is what it was.
echo 'untouched: ', json_encode(array_unique($late->ask('values', null, $elsewhere))), "\n";

$servers[0]->thaw();
echo 'not awaited: ', json_encode(array_unique($early->ask('values', null, $there))), "\n";
$early->ask('later');
$late->ask('later');
echo 'early: ', count($early->ask('fresh', null, $there)), " fresh\n";
echo 'late: ', count($late->ask('fresh', null, $there)), " fresh\n";
echo 'deleted: ', json_encode($early->ask('values', null, $deleted)), "\n";
echo 'deleted, for who saw nothing: ', json_encode($blind->ask('values', null, $deleted)), "\n";
echo 'old, for who saw nothing: ', count($blind->ask('fresh', null, $there)) === count($there) ? 'all' : 'not all', " fresh\n";

// One of them rebuilds each; from then on both believe it, and the third sees it, too.
$early->ask('remember', 'newest', $there);
foreach (['early' => $early, 'late' => $late, 'blind' => $blind] as $name => $actor) {
    echo "$name: ", json_encode(array_unique($actor->ask('values', null, $there))), ' ', count($actor->ask('fresh', null, $there)) === count($there) ? 'fresh' : 'old', "\n";
}
?>
--EXPECT--
enough keys
elsewhere: ["new"]
untouched: ["old"]
not awaited: ["new"]
early: 0 fresh
late: 0 fresh
deleted: [null,null,null]
deleted, for who saw nothing: [null,null,null]
old, for who saw nothing: all fresh
early: ["newest"] fresh
late: ["newest"] fresh
blind: ["newest"] fresh

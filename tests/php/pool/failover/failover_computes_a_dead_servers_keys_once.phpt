--TEST--
After kill -9, failover computes each key once, then hits
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/round_trips.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$keys = array_map(fn ($i) => "key $i", range(1, 60));
$make = fn () => new Cache(new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 100, failover: true), ttl: 3600, grace: 3600);
$values = $make();
foreach ($keys as $key) {
    $values->set($key, 'before');
}
$pool = new Pool(array_column($servers, 'address'));
$there = array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === $servers[0]->name));

$servers[0]->kill();
$file = tempnam(sys_get_temp_dir(), 'computed');
run_workers(6, function () use ($make, $there, $file) {
    $cache = $make();
    // What another process stored before this one noticed would be old here, and computed again: so all notice first.
    $cache->getMultiple($there);
    file_put_contents($file, "noticed\n", FILE_APPEND);
    while (substr_count(file_get_contents($file), 'noticed') < 6) {
        usleep(1000);
    }
    foreach ($there as $key) {
        $cache->remember($key, null, fn () => file_put_contents($file, "$key\n", FILE_APPEND) ? 'after' : '', wait: 20);
    }
});
$computed = array_count_values(array_diff(file($file, FILE_IGNORE_NEW_LINES), ['noticed']));
unlink($file);
echo count($computed) === count($there) ? 'all' : 'not all', ' computed, each ', json_encode(array_values(array_unique($computed))), " times\n";
echo json_encode(array_unique(array_map(fn ($key) => $values->peek($key), $there))), ' ', json_encode(array_values(array_unique(array_map(fn ($key) => $values->get($key), array_values(array_diff($keys, $there)))))), "\n";

// Nothing there listens at the dead one's address.
$trips = count_round_trips([$servers[1], $servers[2]], function (array $addresses, callable $mark) use ($servers, $keys) {
    $list = [$servers[0]->address, ...$addresses];
    $pool = new Pool($list, retryAfter: 100, failover: true);
    $cache = new Cache($pool, ttl: 3600);
    $there = array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === name_of($list[0])));
    foreach ($there as $key) {
        $cache->set($key, 'value');
        $cache->set($key, 'value');
    }
    $mark('the outage');
    foreach (array_slice($there, 0, 5) as $key) {
        $cache->get($key) === 'value' || print "missing\n";
    }
    $mark('five hits elsewhere');
    $cache->getMultiple($there);
    $mark('many at once');
});
echo 'five hits elsewhere: ', $trips['five hits elsewhere'], ', many at once: ', $trips['many at once'], "\n";

// It comes back empty: nothing of what it forgot is missed for longer than a rebuild takes.
$servers[0]->start();
Clock::advance(101);
echo json_encode(array_unique(array_map(fn ($key) => $values->remember($key, null, fn () => 'anew'), $there))), "\n";
echo json_encode(array_unique(array_map(fn ($key) => $values->entry($key)->status === Status::Fresh, $there))), "\n";
?>
--EXPECT--
all computed, each [1] times
["after"] ["before"]
five hits elsewhere: 5, many at once: 2
["anew"]
[true]

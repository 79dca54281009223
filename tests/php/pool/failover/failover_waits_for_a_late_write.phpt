--TEST--
A late write on a recovered server is never served as fresh
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/relay.inc';

$server = start_memcached();
$proxy = new Relay($server->address);
$pool = new Pool([$proxy->address, start_memcached()->address], timeout: 0.3, retryAfter: 5, failover: true, transport: Transport::Direct);
$cache = new Cache($pool, ttl: 3600, grace: 3600);
$keys = array_filter(array_map(fn ($i) => "key $i", range(1, 200)), fn ($key) => $pool->serverFor($key) === name_of($proxy->address));
$rounds = 5;
$late = 0;
foreach (array_slice($keys, 0, $rounds) as $key) {
    $cache->set($key, 'first');
    $stored = (int) $server->stats()['cmd_set'];
    $proxy->hold();
    $answers = [$cache->set($key, 'late'), $cache->set($key, 'newer'), $cache->peek($key)];
    Clock::advance(6);
    // It answers again, over new connections: the process stays where it is.
    array_push($answers, $cache->peek($key), $cache->set($key, 'newest'), $cache->peek($key));
    if ($answers !== [false, true, 'newer', 'newer', true, 'newest']) {
        echo json_encode($answers), "\n";
    }
    $proxy->release();
    for ($i = 0; $i < 5000 && $server->stats()['cmd_set'] == $stored; $i++) {
        usleep(1000);
    }
    $late += $server->stats()['cmd_set'] - $stored;
    // Then it is back, and told what it missed.
    for ($i = 0; $i < 5000 && $cache->peek($key) === 'newest'; $i++) {
        usleep(1000);
    }
    if ($cache->peek($key) !== null) {
        echo 'then: ', json_encode($cache->peek($key)), "\n";
    }
}
echo $late === $rounds ? 'all of them landed' : "$late landed", "\n";
?>
--EXPECT--
all of them landed

--TEST--
All Pools with the same servers share failover state
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$list = array_column($servers, 'address');
$common = ['servers' => $list, 'timeout' => 0.4, 'retryAfter' => 5, 'transport' => Transport::Libmemcached, 'failover' => true];
$make = fn (array $options) => new Pool(...$options + $common);
$plain = new Cache(new Pool($list), ttl: 3600, grace: 3600);
$pool = $make([]);
$keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 100)), fn ($key) => $pool->serverFor($key) === name_of($list[0])));
unset($pool);

$others = [['persistent' => false], ['timeout' => 0.5], ['connectTimeout' => 0.3], ['retryAfter' => 6], ['transport' => Transport::Direct]];
$told = $fresh = $stays = 0;
foreach ($others as $i => $options) {
    $key = $keys[$i];
    $plain->set($key, 'old');
    $servers[0]->freeze();
    $cache = new Cache($make(['persistent' => false]), ttl: 3600, grace: 3600);
    $cache->peek($key);
    $cache->set($key, 'new');
    unset($cache);
    // Where that one put it, without asking the server that is away.
    $stays += (new Cache($make($options)))->peek($key) === 'new';
    $servers[0]->thaw();
    Clock::advance(10);
    // It tells the server what another Pool changed, before it asks for anything.
    $told += (new Cache($make($options)))->peek($key) === null;
    (new Cache($make($options), ttl: 3600, grace: 3600))->set($key, 'newer');
    // Another connection to the same server goes by the mark that was left there.
    $fresh += (new Cache($make(['persistent' => false])))->entry($key)->status === Status::Fresh;
    $fresh += (new Cache($make([])))->entry($key)->status === Status::Fresh;
}
echo 'stays: ', $stays, ', told: ', $told, ', fresh: ', $fresh, "\n";
?>
--EXPECT--
stays: 5, told: 5, fresh: 10

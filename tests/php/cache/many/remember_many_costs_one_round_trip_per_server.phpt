--TEST--
rememberMany() costs its documented round trips per server by each transport (C12)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../../_support/round_trips.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$trips = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $cache = new Cache(new Pool($addresses, transport: $transport, timeout: 10), ttl: 100, wait: 0);
    $other = new Cache(new Pool($addresses, transport: $transport, timeout: 10), ttl: 100, lease: 1000);
    $keys = array_map(fn ($i) => "key $i", range(1, 60));
    $compute = fn ($missing) => array_fill_keys($missing, 1);
    Clock::freeze();
    $cache->getMultiple($keys);
    ask_for_proofs(new Pool($addresses, transport: $transport, timeout: 10));
    $mark('-');
    $cache->rememberMany($keys, null, $compute); $mark('60 cold keys');
    $cache->rememberMany($keys, null, $compute); $mark('60 fresh keys');
    Clock::advance(100);
    $cache->rememberMany(array_slice($keys, 0, 20), null, $compute); $mark('20 old keys, elected');
    $other->getMultiple($keys);
    $mark('-');
    $cache->rememberMany($keys, null, $compute); $mark('20 fresh and 40 busy keys');
    Clock::advance(100);
    $cache->deleteMultiple(array_slice($keys, 0, 30));
    $mark('-');
    $cache->rememberMany(array_slice($keys, 10, 40), null, $compute); $mark('20 cold keys and 20 old ones');
    $cache->rememberMany([], null, $compute); $mark('none');
});
unset($trips['-']);
foreach ($trips as $name => $count) {
    echo "$name: $count\n";
}
$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10));
$cache->rememberMany(['a', 'b', 'c'], 100, fn ($missing) => array_fill_keys($missing, 1));
$before = $server->stats();
$cache->rememberMany(['a', 'b', 'c'], 100, fn ($missing) => array_fill_keys($missing, 2));
$after = $server->stats();
echo $after['cmd_get'] - $before['cmd_get'], ' keys asked for, ', $after['cmd_set'] - $before['cmd_set'], " writes\n";
?>
--EXPECT--
60 cold keys: 126, 9 by Direct
60 fresh keys: 3
20 old keys, elected: 46, 9 by Direct
20 fresh and 40 busy keys: 3
20 cold keys and 20 old ones: 86, 12 by Direct
none: 0
3 keys asked for, 0 writes

--TEST--
Each method of a guarded Cache costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/round_trips.inc';

$servers = [start_memcached()];
$counted = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $cache = new Cache(new Pool($addresses[0], timeout: 10, transport: $transport), ttl: 100, guarded: true);
    ask_for_proofs(new Pool($addresses, timeout: 10, transport: $transport));
    $many = array_fill_keys(array_map(fn ($i) => "m$i", range(1, 60)), 'value');
    $cache->set('k', 'value');
    Pool::endRequest();
    $mark('warm up');

    $cache->get('k'); $mark('get, hit');
    $cache->set('k', 'value 2'); $mark('set after a hit');
    $cache->set('k', 'value 3'); $mark('set after an own one');
    $cache->get('absent'); $mark('get, miss');
    $cache->set('absent', 'value'); $mark('set after a miss');
    $cache->get('another');
    $mark('-');
    $cache->replace('another', 'value'); $mark('replace over a mark');
    $cache->setMultiple($many); $mark('setMultiple of 60 without a look');
    Pool::endRequest();
    $cache->deleteMultiple(array_keys($many));
    $mark('-');
    $cache->getMultiple(array_keys($many)); $mark('getMultiple of 60 misses');
    $cache->setMultiple($many); $mark('setMultiple of 60 after it');
    Pool::endRequest();
    $cache->getMultiple(array_keys($many));
    $mark('-');
    $cache->setMultiple($many); $mark('setMultiple of 60 after hits');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
get, hit: 1
set after a hit: 2
set after an own one: 2, 1 by Direct
get, miss: 2
set after a miss: 2, 1 by Direct
replace over a mark: 2
setMultiple of 60 without a look: 60, 1 by Direct
getMultiple of 60 misses: 61, 2 by Direct
setMultiple of 60 after it: 61, 2 by Direct
setMultiple of 60 after hits: 61, 2 by Direct

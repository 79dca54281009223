--TEST--
Each Cache method costs its documented round trips (C12)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$counted = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $cache = new Cache(new Pool($addresses[0], timeout: 10, transport: $transport), ttl: 100, lease: 10);
    ask_for_proofs(new Pool($addresses, timeout: 10, transport: $transport));
    Clock::freeze();
    $cache->set('k', 'value');
    $cache->set('n', 5);
    $cache->set('counted', 5);
    $cache->increment('counted');
    $mark('warm up');

    $cache->get('k'); $mark('get, fresh');
    $cache->get('absent'); $mark('get, absent');
    $cache->peek('k'); $mark('peek');
    $cache->has('k'); $mark('has');
    $cache->entry('k'); $mark('entry');
    $cache->get('counted'); $mark('get, running number');
    $cache->remember('k', 100, fn () => 1); $mark('remember, fresh');
    $cache->remember('cold', 100, fn () => 1); $mark('remember, cold');
    $cache->set('k', 'value'); $mark('set');
    $cache->add('free', 'value'); $mark('add, free');
    $cache->add('free', 'value'); $mark('add, taken');
    $cache->add('free', random_bytes(5000)); $mark('add, taken, long value');
    $cache->expire('free');
    $mark('-');
    $cache->add('free', 'value'); $mark('add, stale');
    $cache->replace('k', 'value'); $mark('replace');
    $cache->update('k', fn ($old) => $old); $mark('update');
    $cache->update('new', fn () => 1); $mark('update, absent');
    $cache->touch('k'); $mark('touch');
    $cache->has('counted'); $mark('has, running number');
    $cache->touch('counted', 1000); $mark('touch, running number, longer');
    $cache->increment('counted');
    $mark('-');
    $cache->touch('counted', 50); $mark('touch, running number, shorter');
    $cache->update('counted', fn ($old) => $old); $mark('update, running number');
    $cache->increment('counted');
    $mark('-');
    $cache->pull('counted'); $mark('pull, running number');
    $cache->increment('n'); $mark('increment, first');
    $cache->increment('n'); $mark('increment');
    $cache->expire('k'); $mark('expire');
    $cache->get('k'); $mark('get, elected');
    $cache->get('k'); $mark('get, claimed');
    $cache->publish('k', 'value'); $mark('publish');
    $cache->publish('k', 'value'); $mark('publish, no claim');
    $cache->expire('k');
    $cache->lookup('k');
    $mark('-');
    $cache->abandon('k'); $mark('abandon');
    $cache->remember('k', 100, fn () => 1); $mark('remember, elected');
    $cache->pull('k'); $mark('pull');
    $cache->delete('n'); $mark('delete');
    $cache->set('n', 5);
    $mark('-');
    $cache->forget('n'); $mark('forget');
    $cache->forget('n'); $mark('forget, absent');
    $cache->stats(); $mark('stats');

    $long = array_map(fn ($i) => str_pad("$i", 100, '-'), range(1, 100));
    $cache->getMultiple($long); $mark('getMultiple of 10,000 bytes of keys');

    $many = new Cache(new Pool($addresses, timeout: 10, transport: $transport), ttl: 100);
    $keys = array_map(fn ($i) => "k$i", range(1, 50));
    $many->setMultiple(array_fill_keys($keys, 1));
    $many->getMultiple(array_slice($keys, 0, 10));
    $mark('-');
    $many->getMultiple($keys); $mark('getMultiple on 3 servers');
    $many->setMultiple(array_fill_keys($keys, 1)); $mark('setMultiple of 50');
    $many->expireMultiple($keys); $mark('expireMultiple of 50');
    $some = array_map(fn ($i) => "e$i", range(1, 20));
    $cache->setMultiple(array_fill_keys($some, 1));
    $mark('-');
    $cache->expireMultiple($some); $mark('expireMultiple of 20 on 1 server');
    $many->setMultiple(array_fill_keys($keys, 1));
    $mark('-');
    Clock::advance(100);
    $many->getMultiple(array_slice($keys, 0, 40)); $mark('getMultiple, 40 elected');
    $many->getMultiple(array_slice($keys, 0, 40)); $mark('getMultiple, 40 claimed');
    $many->deleteMultiple($keys); $mark('deleteMultiple of 50');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
get, fresh: 1
get, absent: 1
peek: 1
has: 1
entry: 1
get, running number: 2
remember, fresh: 1
remember, cold: 4, 3 by Direct
set: 1
add, free: 1
add, taken: 2, 1 by Direct
add, taken, long value: 2
add, stale: 3, 2 by Direct
replace: 2
update: 3, 2 by Direct
update, absent: 3, 2 by Direct
touch: 2
has, running number: 2
touch, running number, longer: 4
touch, running number, shorter: 2
update, running number: 6
pull, running number: 4
increment, first: 3
increment: 2
expire: 2
get, elected: 2
get, claimed: 1
publish: 2, 1 by Direct
publish, no claim: 0
abandon: 2
remember, elected: 4, 3 by Direct
pull: 2
delete: 1
forget: 1
forget, absent: 1
stats: 0
getMultiple of 10,000 bytes of keys: 2
getMultiple on 3 servers: 3
setMultiple of 50: 50, 3 by Direct
expireMultiple of 50: 53, 6 by Direct
expireMultiple of 20 on 1 server: 21, 2 by Direct
getMultiple, 40 elected: 43
getMultiple, 40 claimed: 3
deleteMultiple of 50: 50, 3 by Direct

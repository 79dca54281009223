--TEST--
Tagged reads and invalidations cost their documented round trips (T4, T6, N2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/round_trips.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$counted = count_round_trips_by_both($servers, function (array $addresses, callable $mark, Transport $transport) {
    $cache = new Cache(new Pool($addresses[0], timeout: 10, transport: $transport));
    $view = $cache->tagged('a', 'b');
    $cache->get('warm up');
    ask_for_proofs(new Pool($addresses, timeout: 10, transport: $transport));
    $mark('-');
    $view->remember('k', 100, fn () => 1); $mark('remember, cold, both tags not there');
    $view->remember('l', 100, fn () => 1); $mark('remember, cold');
    $view->get('k'); $mark('get');
    $view->remember('k', 100, fn () => 1); $mark('remember');
    $cache->get('k'); $mark('get, plain');
    $cache->set('plain', 1); $mark('set, plain');
    $cache->get('plain'); $mark('get without tags, plain');
    $view->get('plain'); $mark('get, elected for lack of tags');
    $view->set('s', 1); $mark('set');
    $other = $cache->tagged('c', 'd');
    $other->set('x', 1);
    $mark('-');
    $other->set('unread', 1); $mark('set, of a second key');
    $other->add('unread', 1); $mark('add, taken');
    $other->add('new', 1); $mark('add, free');
    $cache->invalidateTags('c', 'd');
    $mark('-');
    $other->set('unread 2', 1); $mark('set, after an invalidation');
    $other->get('unread 2') === 1 || print "an outdated version was stored\n";
    $cache->invalidateTags('c', 'd');
    $mark('-');
    $other->add('new 2', 1); $mark('add, free, after an invalidation');
    $other->get('new 2') === 1 || print "an outdated version was stored\n";
    $cache->invalidateTags('c', 'd');
    $mark('-');
    $other->add('new 2', 2) || print "an invalidated value was kept\n"; $mark('add, stale');
    $other->get('new 2') === 2 || print "an outdated version was stored\n";
    $mark('-');
    $view->get('s'); $mark('-');
    $view->set('s', 1); $mark('set after get');
    $view->update('s', fn ($old) => $old); $mark('update');
    $view->increment('k'); $mark('increment, first');
    $view->get('k'); $mark('get, running number');
    $cache->get('k'); $mark('get, running number, plain');
    $cache->invalidateTags('a', 'b'); $mark('invalidateTags of two');
    $cache->deleteTags('a'); $mark('deleteTags');

    $many = new Cache(new Pool($addresses, timeout: 10, transport: $transport), 'm.', clearable: true);
    $tagged = $many->tagged('a', 'b');
    $values = array_fill_keys(array_map(fn ($i) => "k$i", range(1, 50)), 1);
    $tagged->setMultiple($values);
    $mark('-');
    $tagged->setMultiple($values); $mark('setMultiple of 50 on 3 servers');
    $tagged->getMultiple(array_keys($values)); $mark('getMultiple on 3 servers');
    (new Cache(new Pool($addresses, timeout: 10, transport: $transport), 'm.'))->getMultiple(array_keys($values)); $mark('getMultiple on 3 servers, plain');
    $tagged->rememberMany(array_keys($values), 100, fn () => []); $mark('rememberMany on 3 servers');
    $many->get('k1'); $mark('get of other tags');
    $many->get('k1'); $mark('get of other tags, again');
    $many->set('n', 5);
    $many->increment('n');
    (new Cache(new Pool($addresses, timeout: 10, transport: $transport), 'm.', clearable: true))->get('n');
    $mark('-');
    $many->get('n'); $mark('get, running number, again');
    $many->invalidateTags(['a', 'b']); $mark('invalidateTags of two on 3 servers');
    $many->invalidateTags(['a', 'b', 'c', 'd']); $mark('invalidateTags of four on 3 servers');
    $many->deleteTags(['a', 'b', 'c', 'd']); $mark('deleteTags of four on 3 servers');
    $many->clear(); $mark('clear on 3 servers');
    $many->tagged('c'); $mark('tagged');
    $pool = new Pool([$addresses[0], 'unix:///nowhere'], timeout: 10, transport: $transport);
    $by_server = [];
    foreach (range(1, 200) as $key) {
        $by_server[$pool->serverFor($key)][] = $key;
    }
    [$some, $others] = array_values($by_server);
    $mixed = [...array_slice($some, 0, 25), ...array_slice($others, 0, 25)];
    (new Cache($pool))->tagged('a')->setMultiple(array_fill_keys($mixed, 1)); $mark('setMultiple of 25 on a server, and 25 on one that is not there');
});
unset($counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
remember, cold, both tags not there: 6, 4 by Direct
remember, cold: 4, 3 by Direct
get: 1
remember: 1
get, plain: 2
set, plain: 1
get without tags, plain: 1
get, elected for lack of tags: 2
set: 2
set, of a second key: 2, 1 by Direct
add, taken: 3, 1 by Direct
add, free: 2, 1 by Direct
set, after an invalidation: 2
add, free, after an invalidation: 2
add, stale: 3, 2 by Direct
set after get: 1
update: 3
increment, first: 3
get, running number: 2
get, running number, plain: 2
invalidateTags of two: 2, 1 by Direct
deleteTags: 1
setMultiple of 50 on 3 servers: 53, 6 by Direct
getMultiple on 3 servers: 3
getMultiple on 3 servers, plain: 6
rememberMany on 3 servers: 3
get of other tags: 2
get of other tags, again: 1
get, running number, again: 1
invalidateTags of two on 3 servers: 6, 3 by Direct
invalidateTags of four on 3 servers: 12, 3 by Direct
deleteTags of four on 3 servers: 12, 3 by Direct
clear on 3 servers: 3
tagged: 0
setMultiple of 25 on a server, and 25 on one that is not there: 26, 2 by Direct

--TEST--
Cache operations on 2 and 3 copies cost their documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/round_trips.inc';

foreach ([2, 3] as $n) {
    $servers = array_map(fn () => start_memcached(), range(1, $n));
    $trips = count_round_trips($servers, function (array $addresses, callable $mark) use ($n, $servers) {
        $pool = new Pool($addresses, timeout: 5);
        $cache = new Cache($pool, ttl: 100, copies: $n);
        $first = $servers[array_search($pool->serverFor('k'), array_map(name_of(...), $addresses))];
        $cache->get('warm up');
        $pool->ping();
        $mark('connecting');
        $do = function (string $name, mixed $expected, callable $work) use ($mark) {
            $answer = $work();
            $mark($name . ($answer === $expected ? '' : ': WRONG ' . json_encode($answer)));
        };
        $do('miss', null, fn () => $cache->get('k'));
        $do('set', true, fn () => $cache->set('k', 'v'));
        $do('hit', 'v', fn () => $cache->get('k'));
        $do('getMultiple of a hit', ['k' => 'v'], fn () => $cache->getMultiple(['k']));
        $do('touch', true, fn () => $cache->touch('k', 200));
        $do('update', 'w', fn () => $cache->update('k', fn () => 'w'));
        $first->raw('delete k');
        $do('hit that repairs', 'w', fn () => $cache->get('k'));
        $do('hit after it', 'w', fn () => $cache->get('k'));
        $do('expire', true, fn () => $cache->expire('k'));
        $do('get, elected', null, fn () => $cache->get('k'));
        $do('publish', true, fn () => $cache->publish('k', 'new'));
        $do('expire again', true, fn () => $cache->expire('k'));
        $do('remember, elected', 'new', fn () => $cache->remember('k', 100, fn () => 'new'));
        $cache->expire('k');
        $first->raw('delete k');
        $mark('losing it');
        $do('get that repairs, elected', null, fn () => $cache->get('k'));
        $do('delete', true, fn () => $cache->delete('k'));
        $do('deleted', null, fn () => $cache->get('k'));
        $do('add', true, fn () => $cache->add('other', 'v'));
    });
    unset($trips['connecting'], $trips['losing it']);
    echo "$n copies: ", json_encode($trips, JSON_PRETTY_PRINT), "\n";
}
?>
--EXPECT--
2 copies: {
    "miss": 2,
    "set": 5,
    "hit": 1,
    "getMultiple of a hit": 1,
    "touch": 5,
    "update": 6,
    "hit that repairs": 6,
    "hit after it": 1,
    "expire": 5,
    "get, elected": 3,
    "publish": 5,
    "expire again": 5,
    "remember, elected": 8,
    "get that repairs, elected": 10,
    "delete": 5,
    "deleted": 1,
    "add": 5
}
3 copies: {
    "miss": 3,
    "set": 7,
    "hit": 1,
    "getMultiple of a hit": 1,
    "touch": 7,
    "update": 8,
    "hit that repairs": 6,
    "hit after it": 1,
    "expire": 7,
    "get, elected": 4,
    "publish": 7,
    "expire again": 7,
    "remember, elected": 11,
    "get that repairs, elected": 12,
    "delete": 7,
    "deleted": 1,
    "add": 7
}

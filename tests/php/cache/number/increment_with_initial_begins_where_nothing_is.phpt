--TEST--
Cache::increment() stores $initial if no value exists (I8)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, StoredValueException};

require __DIR__ . '/../../../_support/memcached.inc';

Clock::freeze(time());
$server = start_memcached();
$try = function (callable $count) {
    try {
        return json_encode($count());
    } catch (StoredValueException | ValueError $exception) {
        return $exception->getMessage();
    }
};
foreach (['memory://initial', $server->address] as $address) {
    $pool = new Pool($address);
    $cache = new Cache($pool, ttl: 100, grace: 50, lease: 5);
    $other = new Cache($pool, ttl: 100, grace: 50, lease: 5);

    echo 'absent: ', json_encode([$cache->increment('n'), $cache->increment('n', initial: 10), $other->increment('n', 5, initial: 70), $cache->get('n')]), "\n";
    echo 'deleted: ', json_encode([$cache->delete('n'), $cache->increment('n', 2, 10), $cache->increment('n', 2, 10), $cache->peek('n')]), "\n";
    Clock::advance(100);
    echo 'past its TTL: ', json_encode([$cache->increment('n', 1, 500), $cache->entry('n')->status->name]), "\n";
    Clock::advance(50);
    echo 'ended: ', json_encode([$cache->peek('n'), $cache->increment('n', 1, 500), $cache->entry('n')->status->name, $cache->entry('n')->expiresIn]), "\n";

    $ttl_of = fn (string $key) => $cache->entry($key)->expiresIn;
    echo 'its TTL: ', json_encode([$cache->increment('t', 1, 0, 20), $ttl_of('t'), $cache->increment('t', 1, 0, 70), $ttl_of('t'), $cache->increment('u', 1, 0, 0), $ttl_of('u')]), "\n";
    echo 'without $initial none is made: ', json_encode([$cache->increment('w', ttl: 20), $cache->has('w')]), "\n";

    echo 'while it is computed: ', json_encode($cache->remember('r', null, fn () => 'computed ' . $other->increment('r', 3, initial: 20))), ', there is ', json_encode($other->increment('r')), "\n";
    echo 'stops at 0: ', json_encode([$cache->increment('z', -5, initial: 3), $cache->increment('m', -5, initial: -3), $cache->increment('m')]), "\n";
    foreach ([[1, PHP_INT_MAX], [-2, PHP_INT_MIN + 1]] as [$by, $initial]) {
        echo $try(fn () => $cache->increment('o', $by, $initial)), ' ', json_encode($cache->has('o')), "\n";
    }
    $cache->set('text', '5');
    echo $try(fn () => $cache->increment('text', 1, 5)), ' ', json_encode($cache->get('text')), "\n";
    foreach ([-1, NAN, -INF] as $ttl) {
        echo $try(fn () => $cache->increment('v', 1, 1, $ttl)), ' ', json_encode($cache->has('v')), "\n";
    }
    echo 'stored: ', $cache->stats()['stored'], "\n";
}
?>
--EXPECT--
absent: [false,11,16,16]
deleted: [true,12,14,14]
past its TTL: [15,"Stale"]
ended: [null,501,"Fresh",100]
its TTL: [1,20,2,20,1,null]
without $initial none is made: [false,false]
while it is computed: "computed 23", there is 24
stops at 0: [0,-8,-7]
Cannot increment "o": the result would exceed the range of integers false
Cannot increment "o": the result would exceed the range of integers false
Cannot increment "text": its value is not an integer "5"
McPatterns\Cache::increment(): Argument #4 ($ttl) must be greater than or equal to 0 false
McPatterns\Cache::increment(): Argument #4 ($ttl) must be a number of seconds or INF false
McPatterns\Cache::increment(): Argument #4 ($ttl) must be a number of seconds or INF false
stored: 8
absent: [false,11,16,16]
deleted: [true,12,14,14]
past its TTL: [15,"Stale"]
ended: [null,501,"Fresh",100]
its TTL: [1,20,2,20,1,null]
without $initial none is made: [false,false]
while it is computed: "computed 23", there is 24
stops at 0: [0,-8,-7]
Cannot increment "o": the result would exceed the range of integers false
Cannot increment "o": the result would exceed the range of integers false
Cannot increment "text": its value is not an integer "5"
McPatterns\Cache::increment(): Argument #4 ($ttl) must be greater than or equal to 0 false
McPatterns\Cache::increment(): Argument #4 ($ttl) must be a number of seconds or INF false
McPatterns\Cache::increment(): Argument #4 ($ttl) must be a number of seconds or INF false
stored: 8

--TEST--
Each invalid Cache parameter throws an error with its name, storing nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool);
$compute = fn () => 1;
$calls = [
    // The constructor.
    fn () => new Cache($pool, ttl: -1), fn () => new Cache($pool, ttl: NAN), fn () => new Cache($pool, ttl: -INF), fn () => new Cache($pool, ttl: 1e11),
    fn () => new Cache($pool, grace: -0.001), fn () => new Cache($pool, grace: -INF), fn () => new Cache($pool, grace: NAN),
    fn () => new Cache($pool, lease: 0), fn () => new Cache($pool, lease: -1), fn () => new Cache($pool, lease: INF), fn () => new Cache($pool, lease: 5e6),
    fn () => new Cache($pool, wait: -1), fn () => new Cache($pool, wait: INF),
    fn () => new Cache($pool, early: -0.1), fn () => new Cache($pool, early: NAN), fn () => new Cache($pool, early: 1001.0), fn () => new Cache($pool, jitter: -0.1), fn () => new Cache($pool, jitter: 1.1), fn () => new Cache($pool, jitter: NAN),
    fn () => new Cache($pool, copies: 2), fn () => new Cache($pool, copies: 0), fn () => new Cache($pool, near: 60.1), fn () => new Cache($pool, near: 0.0009), fn () => new Cache($pool, near: NAN), fn () => new Cache($pool, near: -1),
    fn () => new Cache($pool, clearable: true, foreign: true), fn () => new Cache($pool, ttl: '1 day'), fn () => new Cache('127.0.0.1'),
    // Keys.
    fn () => $cache->get(''), fn () => $cache->peek(''), fn () => $cache->has(''), fn () => $cache->entry(''), fn () => $cache->lookup(''),
    fn () => $cache->set('', 1), fn () => $cache->add('', 1), fn () => $cache->replace('', 1), fn () => $cache->publish('', 1), fn () => $cache->abandon(''),
    fn () => $cache->delete(''), fn () => $cache->expire(''), fn () => $cache->touch(''), fn () => $cache->pull(''), fn () => $cache->increment(''), fn () => $cache->decrement(''),
    fn () => $cache->update('', $compute), fn () => $cache->remember('', 1, $compute), fn () => $cache->setMultiple(['' => 1, 'k' => 2]), fn () => $cache->setMultiple(['k' => 2, '' => 1]),
    // Durations.
    fn () => $cache->set('k', 1, -1), fn () => $cache->set('k', 1, NAN), fn () => $cache->set('k', 1, -INF), fn () => $cache->set('k', 1, 1, -1), fn () => $cache->set('k', 1, 1, NAN),
    fn () => $cache->add('k', 1, -1), fn () => $cache->replace('k', 1, -1), fn () => $cache->update('k', $compute, -1), fn () => $cache->touch('k', -1), fn () => $cache->publish('k', 1, -1),
    fn () => $cache->setMultiple(['k' => 1], -1), fn () => $cache->setMultiple(['k' => 1], 1, -1),
    // remember().
    fn () => $cache->remember('k', -1, $compute), fn () => $cache->remember('k', 'no callable', $compute), fn () => $cache->remember('k', [], $compute), fn () => $cache->remember('k', 1, 'no callable'),
    fn () => $cache->remember('k', 1, $compute, grace: -1), fn () => $cache->remember('k', 1, $compute, lease: 0), fn () => $cache->remember('k', 1, $compute, wait: -1),
    fn () => $cache->remember('k', 1, $compute, early: -1.0), fn () => $cache->remember('k', 1, $compute, jitter: 2.0),
    fn () => $cache->update('k', 'no callable'),
];
foreach ($calls as $call) {
    try {
        $call();
        echo "accepted\n";
    } catch (ValueError | TypeError $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\Cache::', '', $error->getMessage()), "\n";
    }
}
new Cache($pool, '', 1, 1, 1, 1, true, false, 0.0, 0.0, 1, 0.0, false, false);
echo 'stored: ', $server->stats()['cmd_set'], "\n";
?>
--EXPECT--
ValueError: __construct(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: __construct(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: __construct(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: __construct(): Argument #3 ($ttl) must be at most 10000000000 seconds
ValueError: __construct(): Argument #4 ($grace) must be greater than or equal to 0
ValueError: __construct(): Argument #4 ($grace) must be a number of seconds or INF
ValueError: __construct(): Argument #4 ($grace) must be a number of seconds or INF
ValueError: __construct(): Argument #5 ($lease) must be greater than 0
ValueError: __construct(): Argument #5 ($lease) must be greater than 0
ValueError: __construct(): Argument #5 ($lease) must be a finite number of seconds
ValueError: __construct(): Argument #5 ($lease) must be at most 4294967 seconds
ValueError: __construct(): Argument #6 ($wait) must be greater than or equal to 0
ValueError: __construct(): Argument #6 ($wait) must be a finite number of seconds
ValueError: __construct(): Argument #9 ($early) must be between 0 and 1000
ValueError: __construct(): Argument #9 ($early) must be between 0 and 1000
ValueError: __construct(): Argument #9 ($early) must be between 0 and 1000
ValueError: __construct(): Argument #10 ($jitter) must be between 0 and 1
ValueError: __construct(): Argument #10 ($jitter) must be between 0 and 1
ValueError: __construct(): Argument #10 ($jitter) must be between 0 and 1
ValueError: __construct(): Argument #11 ($copies) must be at most the number of different servers in the Pool, 1
ValueError: __construct(): Argument #11 ($copies) must be between 1 and 8
ValueError: __construct(): Argument #12 ($near) must be 0 or between 0.001 and 60 seconds
ValueError: __construct(): Argument #12 ($near) must be 0 or between 0.001 and 60 seconds
ValueError: __construct(): Argument #12 ($near) must be 0 or between 0.001 and 60 seconds
ValueError: __construct(): Argument #12 ($near) must be 0 or between 0.001 and 60 seconds
ValueError: __construct(): Argument #14 ($foreign) must be false with $clearable: clear() cannot delete values from other clients
TypeError: __construct(): Argument #3 ($ttl) must be of type DateInterval|Time\Duration|int|float, string given
TypeError: __construct(): Argument #1 ($pool) must be of type McPatterns\Pool, string given
ValueError: get(): Argument #1 ($key) must not be empty
ValueError: peek(): Argument #1 ($key) must not be empty
ValueError: has(): Argument #1 ($key) must not be empty
ValueError: entry(): Argument #1 ($key) must not be empty
ValueError: lookup(): Argument #1 ($key) must not be empty
ValueError: set(): Argument #1 ($key) must not be empty
ValueError: add(): Argument #1 ($key) must not be empty
ValueError: replace(): Argument #1 ($key) must not be empty
ValueError: publish(): Argument #1 ($key) must not be empty
ValueError: abandon(): Argument #1 ($key) must not be empty
ValueError: delete(): Argument #1 ($key) must not be empty
ValueError: expire(): Argument #1 ($key) must not be empty
ValueError: touch(): Argument #1 ($key) must not be empty
ValueError: pull(): Argument #1 ($key) must not be empty
ValueError: increment(): Argument #1 ($key) must not be empty
ValueError: decrement(): Argument #1 ($key) must not be empty
ValueError: update(): Argument #1 ($key) must not be empty
ValueError: remember(): Argument #1 ($key) must not be empty
ValueError: setMultiple(): Argument #1 ($values) must not contain an empty key
ValueError: setMultiple(): Argument #1 ($values) must not contain an empty key
ValueError: set(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: set(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: set(): Argument #3 ($ttl) must be a number of seconds or INF
ValueError: set(): Argument #4 ($grace) must be greater than or equal to 0
ValueError: set(): Argument #4 ($grace) must be a number of seconds or INF
ValueError: add(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: replace(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: update(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: touch(): Argument #2 ($ttl) must be greater than or equal to 0
ValueError: publish(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: setMultiple(): Argument #2 ($ttl) must be greater than or equal to 0
ValueError: setMultiple(): Argument #3 ($grace) must be greater than or equal to 0
ValueError: remember(): Argument #2 ($ttl) must be greater than or equal to 0
TypeError: remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, string given
TypeError: remember(): Argument #2 ($ttl) must be of type DateInterval|Time\Duration|callable|int|float|null, array given
TypeError: remember(): Argument #3 ($compute) must be a valid callback, function "no callable" not found or invalid function name
ValueError: remember(): Argument #4 ($grace) must be greater than or equal to 0
ValueError: remember(): Argument #5 ($lease) must be greater than 0
ValueError: remember(): Argument #6 ($wait) must be greater than or equal to 0
ValueError: remember(): Argument #9 ($early) must be between 0 and 1000
ValueError: remember(): Argument #10 ($jitter) must be between 0 and 1
TypeError: update(): Argument #2 ($change) must be a valid callback, function "no callable" not found or invalid function name
stored: 0

--TEST--
A near Cache serves fresh values for $near seconds without round trips (P1, P3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Lock, Pool};

require __DIR__ . '/../../../_support/round_trips.inc';

$server = start_memcached();
$counted = count_round_trips([$server], function (array $addresses, callable $mark) {
    $pool = new Pool($addresses[0], timeout: 10);
    $make = fn () => new Cache($pool, ttl: 100, near: 60);
    $keys = ['a', 'b', 'c'];
    foreach ($keys as $key) {
        $make()->set($key, "value of $key", 100);
    }
    $make()->set('number', 1);
    $make()->increment('number');
    $make()->tagged('tag')->set('tagged', 1);
    // Over Direct the first election of a connection asks what its server can.
    (new Lock($pool, 'first'))->run(fn () => true);
    $cache = $make();
    $mark('-');
    foreach (['memo' => $cache, 'host' => null] as $name => $one) {
        $of = fn (): Cache => $one ?? $make();
        $of()->get('a'); $mark("first get, $name");
        $of()->get('a'); $mark("get, $name");
        $of()->peek('a'); $mark("peek, $name");
        $of()->entry('a'); $mark("entry, $name");
        $of()->has('a'); $mark("has, $name");
        $of()->remember('a', 100, fn () => 1); $mark("remember, $name");
        $of()->getMultiple($keys); $mark("getMultiple, one of three, $name");
        $of()->getMultiple($keys); $mark("getMultiple, all, $name");
        $of()->rememberMany($keys, 100, fn () => []); $mark("rememberMany, $name");
        $of()->lookup('a'); $mark("lookup, $name");
        $of()->get('number'); $mark("running number, $name");
        $of()->get('number'); $mark("running number again, $name");
        $of()->get('tagged'); $mark("tagged, $name");
        $of()->get('tagged'); $mark("tagged again, $name");
        $of()->get('absent'); $mark("absent, $name");
        $of()->get('absent'); $mark("absent again, $name");
        $make()->touch('a'); $make()->touch('b'); $make()->touch('c');
        $mark('-');
    }
    // From here on this process's clock is its own, and the host's memory is not for it.
    $cache->get('a');
    Clock::advance(50);
    $mark('-');
    $cache->get('a'); $mark('just before the end');
    Clock::advance(10);
    $cache->get('a'); $mark('at the end');
    Clock::advance(30);
    $cache->get('a');
    $mark('-');
    Clock::advance(10.1);
    $cache->get('a'); $mark('past its TTL, elected');
    $cache->get('a'); $mark('past its TTL, claimed');
});
unset($counted['-']);
foreach ($counted as $name => $round_trips) {
    echo "$name: $round_trips\n";
}
?>
--EXPECT--
first get, memo: 1
get, memo: 0
peek, memo: 0
entry, memo: 0
has, memo: 0
remember, memo: 0
getMultiple, one of three, memo: 1
getMultiple, all, memo: 0
rememberMany, memo: 0
lookup, memo: 1
running number, memo: 2
running number again, memo: 2
tagged, memo: 2
tagged again, memo: 0
absent, memo: 1
absent again, memo: 1
first get, host: 1
get, host: 0
peek, host: 0
entry, host: 0
has, host: 0
remember, host: 0
getMultiple, one of three, host: 1
getMultiple, all, host: 0
rememberMany, host: 0
lookup, host: 1
running number, host: 2
running number again, host: 2
tagged, host: 0
tagged again, host: 0
absent, host: 1
absent again, host: 1
just before the end: 0
at the end: 1
past its TTL, elected: 2
past its TTL, claimed: 1

--TEST--
A claim's lease is 3 compute times, doubled by takeovers, within limits (C2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/envelope.inc';

const NOW = 1_700_000_000_000;
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
Clock::freeze(NOW / 1000);
$put = function (int $compute, array $more = []) use ($server) {
    put_raw($server, 'k', make_envelope('k', 'old', $more + ['created' => NOW - 9000, 'soft' => NOW - 1000, 'hard' => NOW + 900_000_000, 'compute' => $compute]));
};
/** The lease in ms under which the callback runs; false when it does not run. */
$lease = fn (Cache $cache, array $options = []) => $cache->remember('k', 100, function () use ($server) {
    [, $end, $lease] = get_envelope($server, 'k')['claim'];
    return $end - (int) round(NOW) === $lease ? $lease : "$lease, but it ends after " . ($end - NOW);
}, ...$options);
$cache = new Cache($pool, lease: 20);

foreach ([0, 1, 333, 334, 1000, 6000, 6667, 100_000, 4_000_000_000] as $compute) {
    $put($compute);
    echo "computed in $compute ms: ", $lease($cache), "\n";
}
$put(100);
echo "the Cache's lease is below a second: ", $lease(new Cache($pool, lease: 0.3)), "\n";
foreach ([0.05, 3, 4000] as $given) {
    $put(6000);
    echo "given $given s: ", $lease($cache, ['lease' => $given]), "\n";
}
echo "after a claim that ran out: ";
foreach ([1000, 3000, 9000, 11_000, 20_000] as $before) {
    $put(500, ['newest' => 1, 'claim' => [1, NOW - 1, $before]]);
    echo $lease($cache), ' ';
}
$put(500, ['newest' => 1, 'claim' => [1, NOW - 1, 1000]]);
echo 'given: ', $lease($cache, ['lease' => 1.5]), "\n";
$put(500, ['newest' => 1]);
echo 'after one that was given back: ', $lease($cache), "\n";
echo "a cold key, after a claim that ran out: ";
put_raw($server, 'k', make_envelope('k', '', ['has_value' => false, 'newest' => 3, 'claim' => [1, NOW - 1, 4000], 'soft' => NOW + 1e6, 'hard' => NOW + 2e6]));
echo $lease($cache), ", election ", get_envelope($server, 'k')['from'], "\n";

echo "measured, not made up: ";
$cache->remember('slow', 100, function () { usleep(500_000); return 1; });
$seconds = $cache->entry('slow')->computeTime;
Clock::advance(100);
$cache->get('slow');
$claim = get_envelope($server, 'slow')['claim'];
var_dump($seconds >= 0.5 && $seconds < 10, $claim[2] === 3 * (int) round($seconds * 1000));
?>
--EXPECT--
computed in 0 ms: 20000
computed in 1 ms: 1000
computed in 333 ms: 1000
computed in 334 ms: 1002
computed in 1000 ms: 3000
computed in 6000 ms: 18000
computed in 6667 ms: 20000
computed in 100000 ms: 20000
computed in 4000000000 ms: 20000
the Cache's lease is below a second: 300
given 0.05 s: 50
given 3 s: 3000
given 4000 s: 4000000
after a claim that ran out: 2000 6000 18000 20000 20000 given: 1500
after one that was given back: 1500
a cold key, after a claim that ran out: 20000, election 4
measured, not made up: bool(true)
bool(true)

--TEST--
A claim's holder waits at most $wait / 4 for other claims (C4.1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000, wait: 80);
$other = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000, wait: 160);
const NOW = 1_700_000_000_000;
/** Another process is computing "b", and will not be done soon. */
$claim_b = fn () => put_raw($server, 'b', make_envelope('b', '', ['has_value' => false, 'newest' => 1, 'soft' => NOW + 2_000_000, 'hard' => NOW + 3_000_000,
    'claim' => [999, NOW + 1_000_000, 1_000_000]]));
/** How many seconds $ask waits, where "b" is another's, by the Clock, which waiting moves on; work itself takes time, too, above all the many looks of a
 * long wait on a busy machine. */
$wait = function (callable $ask) use ($claim_b): string {
    $claim_b();
    $begun = Clock::now();
    $ask();
    $waited = Clock::now() - $begun;
    return (string) match (true) {
        $waited > 40 => round($waited / 20) * 20,
        $waited > 25 => round($waited / 5) * 5,
        default => round($waited + 0.3),
    };
};
$ask_b = fn (?Cache $asked = null, ...$how) => fn () => ($asked ?? $cache)->remember('b', 50, fn () => 'mine', ...$how);
/** The same in the computation of "a", which has run for $seconds by then. */
$in = fn (float $seconds, callable $ask) => $cache->remember('a' . mt_rand(), 50, function () use ($seconds, $ask, $wait) {
    Clock::advance($seconds);
    return $wait($ask);
});
Clock::freeze(NOW / 1000);
echo 'outside: ', $wait($ask_b()), "\n";
foreach ([0.01, 3, 12, 50] as $seconds) {
    Clock::freeze(NOW / 1000);
    echo "after $seconds s: ", $in($seconds, $ask_b()), "\n";
}
Clock::freeze(NOW / 1000);
echo 'through another object: ', $in(30, $ask_b($other)), "\n";
Clock::freeze(NOW / 1000);
echo 'two levels: ', $cache->remember('outer', 50, function () use ($in, $ask_b) {
    Clock::advance(4);
    return $in(2, $ask_b());
}), "\n";
Clock::freeze(NOW / 1000);
echo 'rememberMany: ', $in(3, fn () => $cache->rememberMany(['b', 'c'], 50, fn (array $names) => array_fill_keys($names, 1))), "\n";
Clock::freeze(NOW / 1000);
echo 'in one of rememberMany: ', $cache->rememberMany(['d', 'e'], 50, function (array $names) use ($wait, $ask_b) {
    Clock::advance(3);
    return array_fill_keys($names, $wait($ask_b()));
})['d'], "\n";
Clock::freeze(NOW / 1000);
$fiber = new Fiber(fn () => $in(3, fn () => Fiber::suspend()));
$fiber->start();
echo 'another Fiber computes: ', $wait($ask_b()), "\n";
$fiber->resume();
Clock::freeze(NOW / 1000);
$cache->set('old', 1, 1, 5000);
Clock::advance(1.5);
echo 'elected over an old value, which others have: ', $cache->remember('old', 50, function () use ($cache, $wait, $ask_b) {
    Clock::advance(3);
    return $wait($ask_b());
}), "\n";
$cache->set('old', 1, 1, 5000);
Clock::advance(1.5);
$cache->get('old');
Clock::advance(2);
echo 'and by get(): ', $wait($ask_b()), "\n";
Pool::endRequest();
$cache->set('another', 1, 1, 5000);
Clock::advance(1.5);
$cache->get('another');
Clock::advance(2);
echo 'where callers wait for the new one: ', $wait($ask_b(null, stale: false)), "\n";
Pool::endRequest();
echo 'afterwards: ', $wait($ask_b(null, stale: false)), "\n";
?>
--EXPECT--
outside: 80
after 0.01 s: 0
after 3 s: 3
after 12 s: 12
after 50 s: 20
through another object: 30
two levels: 6
rememberMany: 3
in one of rememberMany: 3
another Fiber computes: 3
elected over an old value, which others have: 80
and by get(): 80
where callers wait for the new one: 2
afterwards: 80

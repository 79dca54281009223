--TEST--
Cache::stats() counts each computation's time once, and overtaken results as discarded
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://once');
$cache = new Cache($pool, ttl: 100);
MC::use($cache);
$expire = function (string ...$keys) use ($cache) {
    foreach ($keys as $key) {
        $cache->set($key, 'old');
        $cache->expire($key);
    }
};
/** Computes for 60 ms. */
$compute = function (string $key) {
    usleep(60_000);
    return "new $key";
};
/** What changes in the statistics. Each time counted is rounded up to a millisecond. */
$tell = function (string $name, callable $work) use ($cache) {
    $before = $cache->stats();
    $begun = hrtime(true);
    $work();
    $measured = (hrtime(true) - $begun) / 1e9;
    $after = $cache->stats();
    $seconds = $after['compute_seconds'] - $before['compute_seconds'];
    echo $name, ': stored ', $after['stored'] - $before['stored'], ', discarded ', $after['discarded'] - $before['discarded'];
    echo $seconds === 0.0 ? ', no time' : ($seconds < 0.06 ? ", only $seconds s" : ($seconds <= $measured + 0.01 ? ', its time' : ", $seconds s of $measured")), "\n";
};

$tell('rememberMany of three', fn () => $cache->rememberMany(['a', 'b', 'c'], null, fn ($keys) => array_fill_keys($keys, $compute('all'))));
$expire('k');
$tell('get and set', fn () => $cache->get('k') ?? $cache->set('k', $compute('k')));
$tell('set without an election', fn () => $cache->set('k', $compute('k')));
$expire('k');
$tell('MC::get and MC::set', fn () => MC::get('k') ?: MC::set('k', $compute('k')));
$expire('k');
$tell('lookup and publish', fn () => $cache->lookup('k') && $cache->publish('k', $compute('k')));
$expire('a', 'b', 'c');
$tell('getMultiple and a set for each', function () use ($cache, $compute) {
    foreach ($cache->getMultiple(['a', 'b', 'c']) as $key => $value) {
        $cache->set($key, $compute($key));
    }
});
$expire('a', 'b');
$tell('getMultiple and setMultiple', fn () => $cache->getMultiple(['a', 'b']) && $cache->setMultiple(['a' => $compute('a'), 'b' => 1]));

foreach (['delete' => fn () => $cache->delete('k'), 'set' => fn () => $cache->set('k', 'set'), 'expire' => fn () => $cache->expire('k')] as $name => $overtake) {
    $expire('k');
    $tell("remember, its own $name", fn () => $cache->remember('k', null, fn () => $compute('k') . $overtake()));
    $expire('k');
    $tell("lookup, its own $name, publish", fn () => $cache->lookup('k') && $compute('k') && $overtake() && $cache->publish('k', 'late'));
}
?>
--EXPECT--
rememberMany of three: stored 3, discarded 0, its time
get and set: stored 1, discarded 0, its time
set without an election: stored 1, discarded 0, no time
MC::get and MC::set: stored 1, discarded 0, its time
lookup and publish: stored 1, discarded 0, its time
getMultiple and a set for each: stored 3, discarded 0, its time
getMultiple and setMultiple: stored 2, discarded 0, its time
remember, its own delete: stored 0, discarded 1, its time
lookup, its own delete, publish: stored 0, discarded 1, its time
remember, its own set: stored 1, discarded 1, its time
lookup, its own set, publish: stored 1, discarded 1, its time
remember, its own expire: stored 0, discarded 1, its time
lookup, its own expire, publish: stored 0, discarded 1, its time

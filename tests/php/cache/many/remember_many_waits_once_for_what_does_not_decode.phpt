--TEST--
rememberMany() rebuilds unreadable values like missing ones, without long waits (C9, C12)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

const WAIT = 20.0; // longer than all the work takes on a machine under load: who is stalled waits this long

$server = start_memcached();
$keys = array_map(fn ($i) => "k$i", range(0, 9));
$break = function () use ($server, $keys) {
    foreach ($keys as $key) {
        put_raw($server, $key, make_envelope($key, 'no serialization'), envelope_flags(4));
    }
};
/** One call: how many keys it computed, in how many callbacks, whether its answer is whole, and how long it took. */
$call = function (array $keys) use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: WAIT);
    $computed = $calls = 0;
    $begun = microtime(true);
    $answer = $cache->rememberMany($keys, null, function (array $missing) use (&$computed, &$calls) {
        $computed += count($missing);
        $calls++;
        usleep(10_000);
        return array_fill_keys($missing, 'computed');
    });
    $seconds = microtime(true) - $begun;
    return [$computed, $answer === array_fill_keys($keys, 'computed'), $seconds, $calls];
};

foreach (['two in opposite order' => 2, 'six' => 6] as $name => $count) {
    $break();
    $results = run_workers($count, fn (int $index) => $call($index % 2 ? array_reverse($keys) : $keys), 120.0);
    echo $name, ': computed ', array_sum(array_column($results, 0)), ', all answers ', min(array_column($results, 1)) ? 'whole' : 'not whole';
    echo ', ', max(array_column($results, 2)) < WAIT / 2 ? 'nobody stalled' : 'longest ' . max(array_column($results, 2)), "\n";
}

echo "alone: ";
$break();
$cache = new Cache(new Pool($server->address), ttl: 100, wait: 0);
[$computed, $is_whole, , $calls] = $call($keys);
echo "computed $computed in $calls callback\n";

echo 'some of them, beside fresh and missing ones: ';
foreach (['k1', 'k4'] as $key) {
    put_raw($server, $key, make_envelope($key, 'no serialization'), envelope_flags(4));
}
$cache->delete('k2');
$asked = [];
$answer = $cache->rememberMany(['k0', 'k1', 'k2', 'k3', 'k4'], null, function (array $missing) use (&$asked) {
    $asked = array_merge($asked, $missing);
    return array_fill_keys($missing, 'anew');
});
sort($asked);
echo json_encode($asked), ' ', json_encode($answer), "\n";
?>
--EXPECT--
two in opposite order: computed 10, all answers whole, nobody stalled
six: computed 10, all answers whole, nobody stalled
alone: computed 10 in 1 callback
some of them, beside fresh and missing ones: ["k1","k2","k4"] {"k0":"computed","k1":"anew","k2":"anew","k3":"computed","k4":"anew"}

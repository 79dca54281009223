--TEST--
rememberMany() computes its own keys, then waits once for all others (C12)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

const NOW = 1_700_000_000_000;
$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 10, wait: 2);
$watch = new Cache(new Pool('memory://watch'));
$claim_elsewhere = function (string $key) use ($server) {
    put_raw($server, $key, make_envelope($key, '', ['has_value' => false, 'newest' => 1, 'soft' => NOW + 1e6, 'hard' => NOW + 2e6, 'claim' => [1, NOW + 1e6, 1_000_000]]));
};
$compute = function (array $missing) use ($watch) {
    // The clock stands still but for the pauses; real time, which also counts against the wait, only shortens it.
    $waited = $watch->entry('start')->age;
    echo '  computes ', implode(' ', $missing), $waited === 0.0 ? ' without a wait' : ($waited <= 2.0 ? ' after one wait' : " after $waited s"), "\n";
    return array_combine($missing, array_map(fn ($key) => "mine $key", $missing));
};
echo "five keys that others never finish: one wait, not five\n";
Clock::freeze(NOW / 1000);
array_map($claim_elsewhere, ['a', 'b', 'c', 'd', 'e']);
$watch->set('start', 1);
echo json_encode($cache->rememberMany(['a', 'own', 'b', 'c', 'own too', 'd', 'e'], null, $compute)), "\n";
echo 'and it ended the wait for everybody: ', json_encode($cache->getMultiple(['a', 'e'])), "\n";

echo "with stale: false old values are waited for too, and taken when the wait is over\n";
$patient = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 1, stale: false);
$other = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000);
Clock::freeze(NOW / 1000);
$other->set('x', 'old x');
$other->expire('x');
$other->lookup('x');
$watch->set('start', 1);
echo json_encode($patient->rememberMany(['x', 'own 2'], null, $compute));
echo $watch->entry('start')->age <= 1.0 ? " after one wait\n" : " too late\n";
Clock::unfreeze();

echo "overlapping keys in opposite order, many times, by two and by many processes\n";
foreach ([2, 8] as $processes) {
    $results = run_workers($processes, function (int $index) use ($server, $processes) {
        $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 60);
        $wrong = $computed = 0;
        for ($round = 0; $round < 20; $round++) {
            $keys = array_map(fn ($i) => "$processes $round $i", range(1, 10));
            $index % 2 === 0 || $keys = array_reverse($keys);
            $values = $cache->rememberMany($keys, null, function (array $missing) use (&$computed, $keys, &$wrong) {
                $computed += count($missing);
                $wrong += $missing !== array_values(array_intersect($keys, $missing));
                usleep(5000);
                return array_combine($missing, array_map(fn ($key) => "of $key", $missing));
            });
            $wrong += array_keys($values) !== $keys || array_values($values) !== array_map(fn ($key) => "of $key", $keys);
        }
        return [$computed, $wrong];
    }, 60);
    echo "$processes processes: ", array_sum(array_column($results, 0)), ' of 200 computed, ', array_sum(array_column($results, 1)), " wrong\n";
}
?>
--EXPECT--
five keys that others never finish: one wait, not five
  computes own own too without a wait
  computes a b c d e after one wait
{"a":"mine a","own":"mine own","b":"mine b","c":"mine c","own too":"mine own too","d":"mine d","e":"mine e"}
and it ended the wait for everybody: {"a":"mine a","e":"mine e"}
with stale: false old values are waited for too, and taken when the wait is over
  computes own 2 without a wait
{"x":"old x","own 2":"mine own 2"} after one wait
overlapping keys in opposite order, many times, by two and by many processes
2 processes: 200 of 200 computed, 0 wrong
8 processes: 200 of 200 computed, 0 wrong

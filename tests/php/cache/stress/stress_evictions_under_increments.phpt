--TEST--
Evictions revert increments only to the number in the value (I1)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

// Values start at multiples of a million, higher each time, so that a number says which value it was counted on.
const STEP = 1_000_000;
$server = start_memcached();
$seconds = at_full_size() ? 60 : 2;
$seed = new Cache(new Pool($server->address, timeout: 5));
$seed->set('n', STEP);
$results = run_workers(6, function (int $index) use ($server, $seconds) {
    $cache = new Cache(new Pool($server->address, timeout: 5));
    $end = microtime(true) + $seconds;
    $result = ['counted' => 0, 'fell to its value' => 0, 'wrong' => 0, 'absent' => 0];
    for ($last = 0, $step = 1; microtime(true) < $end;) {
        if ($index === 0) {
            usleep(mt_rand(500, 4000));
            $server->raw(mt_rand(0, 3) > 0 ? 'delete n_increment' : 'delete n');
            continue;
        }
        $number = $cache->increment('n');
        if ($number === false) {
            $result['absent']++;
            $cache->add('n', (++$step + intdiv(max($last, STEP), STEP)) * STEP + $index * 1000 * STEP);
            $last = 0;
            continue;
        }
        $result['counted']++;
        // On the same value it only grows, unless its side key was evicted: then not below the value.
        if (intdiv($number, STEP) === intdiv($last, STEP) && $number <= $last) {
            $result['fell to its value']++;
            $result['wrong'] += $number % STEP === 0;
        }
        $result['wrong'] += $number < STEP || $number % STEP > 500_000;
        $last = $number;
    }
    return $result;
}, 60 + $seconds);
foreach (array_keys($results[0]) as $name) {
    $sum = array_sum(array_column($results, $name));
    echo $name, ': ', $name === 'wrong' ? $sum : ($sum > 10 ? 'often' : $sum), "\n";
}
echo 'afterwards it counts: ', json_encode([$seed->set('n', 5), $seed->increment('n'), $seed->increment('n')]), "\n";
?>
--EXPECT--
counted: often
fell to its value: often
wrong: 0
absent: often
afterwards it counts: [true,6,7]

--TEST--
set() during concurrent increments restarts the number exactly (I3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

// Each value set is a multiple of a million, so every number says which set it was counted on, and how often.
const STEP = 1_000_000;
$server = start_memcached();
$rounds = at_full_size() ? 5000 : 100;
$new_cache = fn () => new Cache(new Pool($server->address, timeout: 5));
$new_cache()->set('n', 0);
$results = run_workers(7, function (int $index) use ($new_cache, $rounds) {
    $cache = $new_cache();
    $wrong = 0;
    $counts = [];
    if ($index === 0) {
        for ($round = 1; $round <= $rounds; $round++) {
            $cache->set('n', $round * STEP);
            // What set() has returned is what counts from then on, however many others are at it.
            $number = $cache->increment('n');
            $wrong += $number < $round * STEP || $number > $round * STEP + 100_000;
            $counts[$round] = 1;
            usleep(mt_rand(0, 10_000));
        }
        $cache->set('n', ($rounds + 1) * STEP);
        return [$wrong, $counts];
    }
    $last = 0;
    while ($last < ($rounds + 1) * STEP) {
        $number = $cache->increment('n');
        $wrong += $number <= $last;
        $last = $number;
        $counts[intdiv($number, STEP)] = ($counts[intdiv($number, STEP)] ?? 0) + 1;
        if ($number % 3 === 0) {
            $seen = $cache->get('n');
            $wrong += $seen < $last;
        }
    }
    return [$wrong, $counts];
}, 60);
$left = $new_cache()->get('n') - ($rounds + 1) * STEP;
$counted = 0;
foreach ($results as [$wrong, $counts]) {
    $counted += $counts[$rounds + 1] ?? 0;
}
echo 'wrong: ', array_sum(array_column($results, 0)), "\n";
echo 'counted after the last set: ', $left - $counted, " too many\n";
?>
--EXPECT--
wrong: 0
counted after the last set: 0 too many

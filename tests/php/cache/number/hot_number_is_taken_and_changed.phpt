--TEST--
4 incrementing processes never starve pull(), touch() or update(), nor lose increments (I1, I4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const ROUNDS = 5; // each begins when others have counted some
$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
$cache->set('n', 0, 1000);
$results = run_workers(5, function (int $worker) use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100);
    if ($worker > 0) {
        for ($counted = 0; $counted % 20 !== 0 || !$cache->has('stop'); $counted++) {
            while ($cache->increment('n') === false) {
                usleep(100); // pulled, and not there again yet
            }
        }
        return ['counted' => $counted];
    }
    $taken = $touched = $updated = $given = 0;
    for ($i = 1; $i <= ROUNDS; $i++) {
        do {
            usleep(5_000);
        } while ($cache->get('n') < 150);
        $touched += $cache->touch('n', 1000 + $i);
        $cache->update('n', fn (int $n) => $n + 1_000_000, 2000);
        $updated++;
        $number = $cache->pull('n');
        $taken += $number ?? 0;
        $given += $number !== null;
        $cache->set('n', 0, 1000);
    }
    $cache->set('stop', true);
    $stats = $cache->stats();
    return compact('taken', 'touched', 'updated', 'given') + ['gave_up' => $stats['gave_up'], 'errors' => $stats['errors']];
}, 60);
usort($results, fn ($a, $b) => count($b) <=> count($a));
$left = $cache->get('n');
$counted = array_sum(array_column($results, 'counted'));
$sum = $results[0]['taken'] + $left - 1_000_000 * ROUNDS;
unset($results[0]['taken']);
echo json_encode($results[0]), "\n";
echo 'lost: ', $counted - $sum, ', counted enough: ', var_export($counted > 500, true), "\n";
?>
--EXPECT--
{"touched":5,"updated":5,"given":5,"gave_up":0,"errors":0}
lost: 0, counted enough: true

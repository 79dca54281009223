--TEST--
Concurrent early refreshes run one at a time and delay no caller (C10)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$results = run_workers(16, function (int $index) use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 0.4, grace: 60, lease: 30, early: 1.0);
    $computed = [];
    $misses = 0;
    $end = microtime(true) + 3;
    do {
        $value = $cache->remember('k', null, function () use (&$computed) {
            $begun = hrtime(true);
            usleep(40_000);
            $computed[] = [$begun, hrtime(true)];
            return 'value';
        }, wait: 60);
        $misses += $value !== 'value';
        usleep(1000);
    } while (microtime(true) < $end);
    return [$computed, $misses, $cache->stats()];
});
$computed = array_merge(...array_column($results, 0));
sort($computed);
$overlaps = 0;
for ($i = 1; $i < count($computed); $i++) {
    $overlaps += $computed[$i][0] < $computed[$i - 1][1];
}
$stats = array_column($results, 2);
$early = array_sum(array_column($stats, 'early'));
$elected = array_sum(array_column($stats, 'elected'));
echo "overlapping: $overlaps, misses: ", array_sum(array_column($results, 1)), ', discarded: ', array_sum(array_column($stats, 'discarded')), "\n";
// With so many asking, nearly every refresh comes early; that some do is all a busy machine lets us say.
var_dump($elected === count($computed), $elected > 3, $early > 0);
?>
--EXPECT--
overlapping: 0, misses: 0, discarded: 0
bool(true)
bool(true)
bool(true)

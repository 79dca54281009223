--TEST--
remember() throws at once during a long pause of a cold key (C6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool, RebuildPausedException};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$now = (int) (microtime(true) * 1000);
$put = fn (string $key, int $failures, int $end) => put_raw($server, $key, make_envelope($key, '', ['has_value' => false, 'newest' => 1, 'failure' => [$failures, $end]]));
$put('k', 12, $now + 100_000);
$work = function () use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 100, staleOnError: true);
    $computed = 0;
    try {
        $value = $cache->remember('k', null, function () use (&$computed) { $computed++; usleep(300_000); return 'value'; });
    } catch (RebuildPausedException $paused) {
        $value = $paused->retryAfter > 50 && $paused->retryAfter <= 100 ? 'next try in time' : $paused->getMessage();
    }
    return [$value, $computed, min(1, $cache->stats()['waited']), $cache->stats()['errors']];
};
$tell = function (array $results) {
    echo json_encode(array_count_values(array_column($results, 0))), ', ', array_sum(array_column($results, 1)), ' computed, ', array_sum(array_column($results, 3)), " errors\n";
};
$results = run_workers(8, $work);
$tell($results);
echo array_sum(array_column($results, 2)), " waited\n";
$put('k', 12, $now - 1);
$tell(run_workers(8, $work));

echo "many keys: what this caller was elected for is stored before it is told\n";
$put('k', 12, $now + 100_000);
$put('longer', 12, $now + 200_000);
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 100);
try {
    $cache->rememberMany(['k', 'cold', 'longer'], 100, fn (array $missing) => array_fill_keys($missing, 'computed'));
} catch (RebuildPausedException $paused) {
    echo preg_replace('/[\d.]+ s/', 'N s', $paused->getMessage()), ' ', $paused->retryAfter > 150 ? 'that is the longest' : $paused->retryAfter, "\n";
}
echo json_encode($cache->getMultiple(['k', 'cold', 'longer'])), "\n";
try {
    $cache->rememberMany(['k'], 100, fn (array $missing) => print('never called'));
} catch (RebuildPausedException) {
    echo "without a turn, at once\n";
}
?>
--EXPECT--
{"next try in time":8}, 0 computed, 0 errors
0 waited
{"value":8}, 1 computed, 0 errors
many keys: what this caller was elected for is stored before it is told
The key "longer" has no value: its computation failed, and the next attempt is allowed in N s that is the longest
{"k":null,"cold":"computed","longer":null}
without a turn, at once

--TEST--
Concurrent remember() calls compute a cold key once (C4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$processes = at_full_size() ? 64 : 32;
$compute_ms = 300;
$late = [];
foreach ([false, true] as $is_stale_forbidden) {
    $key = $is_stale_forbidden ? 'never was, stale: false' : 'never was';
    $results = run_workers($processes, function () use ($server, $key, $compute_ms, $is_stale_forbidden) {
        $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 20, stale: !$is_stale_forbidden);
        $calls = 0;
        $start = hrtime(true);
        $value = $cache->remember($key, null, function () use (&$calls, $compute_ms) {
            $calls++;
            usleep($compute_ms * 1000);
            return 'computed by ' . getmypid();
        });
        return [$calls, $value, (hrtime(true) - $start) / 1e6, array_intersect_key($cache->stats(), ['elected' => 0, 'hits' => 0, 'stored' => 0, 'discarded' => 0, 'misses' => 0])];
    });
    $sum = [];
    foreach (array_column($results, 3) as $stats) {
        foreach ($stats as $name => $count) {
            $sum[$name] = ($sum[$name] ?? 0) + $count;
        }
    }
    $sum['hits'] = $sum['hits'] === $processes - 1 ? 'all others' : $sum['hits'];
    echo array_sum(array_column($results, 0)), ' computation, ', count(array_unique(array_column($results, 1))), ' value, ', json_encode($sum), "\n";
    $late[] = max(array_column($results, 2));
}
$limit_ms = 1.2 * $compute_ms + 100;
report_figures("$processes processes, a computation of $compute_ms ms: the last has the value after " . implode(' and ', $late) . ' ms');
if (at_full_size() && max($late) > $limit_ms) {
    echo 'the last had it after ', implode(' and ', $late), " ms, $limit_ms were allowed\n";
}
?>
--EXPECT--
1 computation, 1 value, {"hits":"all others","misses":0,"elected":1,"stored":1,"discarded":0}
1 computation, 1 value, {"hits":"all others","misses":0,"elected":1,"stored":1,"discarded":0}

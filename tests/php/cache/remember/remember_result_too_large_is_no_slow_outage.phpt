--TEST--
Concurrent callers of a too large value compute it without waiting (C6)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$results = run_workers(8, function () use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, lease: 1000, wait: 100);
    $computed = 0;
    $start = hrtime(true);
    for ($i = 0; $i < 5; $i++) {
        $value = $cache->remember('large', null, function () use (&$computed) {
            $computed++;
            usleep(50_000);
            return random_bytes(1_200_000);
        });
        $lengths[] = strlen($value);
    }
    return [$computed, array_unique($lengths), $cache->stats()['unstorable'], (hrtime(true) - $start) / 1e9];
});
echo array_sum(array_column($results, 0)), ' computations, ', array_sum(array_column($results, 2)), ' unstorable, lengths ', json_encode(array_unique(array_merge(...array_column($results, 1)))), "\n";
report_figures('8 processes, 5 computations of 50 ms each, the slowest process took ' . max(array_column($results, 3)) . ' s');
var_dump(max(array_column($results, 3)) < 50); // one wait for nothing is 100 s
?>
--EXPECT--
40 computations, 40 unstorable, lengths [1200000]
bool(true)

--TEST--
Concurrent reads never return grace 0 values after their TTL (C7)
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
$count = at_full_size() ? 1000 : 100;
$cache = new Cache(new Pool($server->address), grace: 0);
$keys = array_map(fn ($i) => "k$i", range(0, $count - 1));
$ends = [];
foreach ($keys as $i => $key) {
    $cache->set($key, 'value', 0.5 + $i / 1000);
    // Not before it was sent did its time begin; PHP's clock and ours are the same.
    $ends[$key] = microtime(true) + 0.5 + $i / 1000 + 0.001;
}
$results = run_workers(4, function () use ($server, $keys, $ends) {
    $cache = new Cache(new Pool($server->address, timeout: 5), grace: 0);
    $late = $reads = 0;
    do {
        $asked = microtime(true);
        foreach ($cache->getMultiple($keys) as $key => $value) {
            $late += $value !== null && $asked > $ends[$key];
            $reads += $value !== null;
        }
        usleep(10_000);
    } while ($asked < max($ends) + 0.1);
    return [$late, $reads, $cache->stats()['elected']];
}, 60);
echo 'served late: ', array_sum(array_column($results, 0)), ', served in time: ', array_sum(array_column($results, 1)) > $count ? 'many' : 'few',
    ', elected by get: ', array_sum(array_column($results, 2)), "\n";
?>
--EXPECT--
served late: 0, served in time: many, elected by get: 0

--TEST--
Concurrent forced rebuilds compute once, and all callers get the result (C17)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
(new Cache(new Pool($server->address, timeout: 10), ttl: 100))->set('k', 'old');
$results = run_workers(16, function () use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, wait: 20);
    $calls = 0;
    $value = $cache->remember('k', null, function () use (&$calls) {
        $calls++;
        usleep(500_000); // long enough for all to come while it is computed
        return 'computed by ' . getmypid();
    }, force: true, entry: $entry);
    return [$calls, $value, $entry->status->name];
});
$statuses = array_count_values(array_column($results, 2));
echo array_sum(array_column($results, 0)), ' computation, ', count(array_unique(array_column($results, 1))), ' value: ', $statuses['Elected'], ' elected, ', $statuses['Fresh'], " have it from there\n";
?>
--EXPECT--
1 computation, 1 value: 1 elected, 15 have it from there

--TEST--
A rebuild of 3 leases is stored despite takeovers of its claim (C3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const LEASE = 0.3;
$server = start_memcached();
foreach (['hot', 'cold'] as $key) {
    if ($key === 'hot') {
        $seed = new Cache(new Pool($server->address), ttl: 100);
        $seed->set($key, 'old');
        $seed->expire($key);
    }
    $start = hrtime(true);
    $results = run_workers(6, function (int $index) use ($server, $key, $start) {
        $cache = new Cache(new Pool($server->address, timeout: 5), ttl: 100, wait: 30);
        $values = [];
        do {
            $value = $cache->remember($key, 100, function () {
                usleep((int) (3 * LEASE * 1e6));
                return 'rebuilt';
            }, lease: LEASE);
            $values[$value] = true;
            usleep(5000);
        } while ($value !== 'rebuilt' && hrtime(true) - $start < 30e9);
        return [array_keys($values), $cache->stats(), (hrtime(true) - $start) / 1e9];
    }, 60);
    $entry = (new Cache(new Pool($server->address)))->entry($key);
    echo $key, ': ', $entry->status->name, ' ', $entry->value;
    echo ', stored ', array_sum(array_column(array_column($results, 1), 'stored')) >= 1 ? 'at least once' : 'never';
    echo ', somebody took over: ', array_sum(array_column(array_column($results, 1), 'elected')) > 1 ? 'yes' : 'no';
    // The first to be elected is stored, though two more were meanwhile.
    echo ', everybody had it after ', max(array_column($results, 2)) < 6 * LEASE + 8 ? 'its time' : max(array_column($results, 2)), "\n";
}
?>
--EXPECT--
hot: Fresh rebuilt, stored at least once, somebody took over: yes, everybody had it after its time
cold: Fresh rebuilt, stored at least once, somebody took over: yes, everybody had it after its time

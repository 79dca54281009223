--TEST--
32 concurrent callers compute a missing key once and get its value (C4)
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
$keys = at_full_size() ? 100 : 8;
$results = run_workers(32, function () use ($server, $keys) {
    $cache = new Cache(new Pool($server->address, timeout: 5), ttl: 100, wait: 20);
    $computed = 0;
    $values = [];
    for ($i = 0; $i < $keys; $i++) {
        $values[] = $cache->remember("k$i", 100, function () use (&$computed) {
            $computed++;
            usleep(100_000);
            return bin2hex(random_bytes(8));
        });
    }
    return [$computed, implode(' ', $values), $cache->stats()['errors']];
}, 60);
echo 'computed: ', array_sum(array_column($results, 0)) - $keys, " times too often\n";
echo 'different answers: ', count(array_unique(array_column($results, 1))), "\n";
echo 'errors: ', array_sum(array_column($results, 2)), "\n";

echo "the first two computations fail\n";
$server->raw("set tries 0 0 1\r\n0");
$failures = run_workers(16, function (int $i) use ($server) {
    $cache = new Cache(new Pool($server->address, timeout: 5), ttl: 100, wait: 20);
    $computed = 0;
    $value = '';
    for ($try = 0; $try < 5 && $value === ''; $try++) {
        try {
            $value = $cache->remember('failing', 100, function () use (&$computed, $server) {
                $computed++;
                usleep(20_000);
                if ((int) $server->raw("incr tries 1") < 3) {
                    throw new DomainException;
                }
                return 'third time';
            });
        } catch (DomainException) {
        }
    }
    return [$computed, $value];
}, 60);
echo 'computed: ', array_sum(array_column($failures, 0)), ', answers: ', implode(', ', array_unique(array_column($failures, 1))), "\n";
?>
--EXPECT--
computed: 0 times too often
different answers: 1
errors: 0
the first two computations fail
computed: 3, answers: third time

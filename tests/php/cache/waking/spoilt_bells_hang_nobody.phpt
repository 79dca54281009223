--TEST--
Corrupt wake-up state never blocks a waiter or adds requests (W2, W5)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/bells.inc';
skip_without_bells();
?>
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
spoil_bells();
$workers = new Workers(6, function (int $index) use ($server) {
    $pool = new Pool($server->address);
    $cache = new Cache($pool, ttl: 100, lease: 60, wait: 1.0);
    if ($index === 0) { /* the hostile one */
        for ($end = microtime(true) + 1.5; microtime(true) < $end; usleep(200)) {
            spoil_bells();
        }
        return 'spoilt';
    }
    if ($index === 1) {
        return $cache->remember('slow', 100, function () use ($server) {
            while (substr_count($server->raw("get answered2 answered3 answered4 answered5\r\n"), 'VALUE') < 4) {
                usleep(5000);
            }
            return 'late';
        });
    }
    while (!str_contains($server->raw("get slow\r\n"), 'VALUE')) {
        usleep(1000);
    }
    $answer = $cache->remember('slow', 100, fn () => 'own');
    $server->raw("set answered$index 0 0 1\r\n1\r\n");
    $waited = $cache->stats()['waited'];
    $lock = new Lock($pool, 'job', ttl: 10);
    $locked = $lock->run(fn () => 'locked', wait: 20.0);
    return [$answer, $locked, $waited > 0 && $waited <= 120 ? 'bounded' : $waited];
}, 60);
$workers->release();
foreach (array_count_values(array_map('json_encode', $workers->results())) as $answer => $count) {
    echo "$count: $answer\n";
}
?>
--EXPECT--
1: "spoilt"
1: "late"
4: ["own","locked","bounded"]

--TEST--
A rebuild stores near before its wake-up, so most waiters send nothing
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
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
// A busy machine may let all find the value by polling before the ring: not every time.
for ($near = 0, $round = 0; $near === 0 && $round < 20; $round++) {
    $workers = new Workers(8, function (int $index) use ($server, $round) {
        $cache = new Cache(new Pool($server->address), ttl: 100, near: 20.0, wait: 20.0);
        $answer = $cache->remember("k$round", 100, function () {
            for ($i = 0; $i < 20000 && used_bells() === []; $i++) {
                usleep(1000);
            }
            usleep(200_000);
            return str_repeat('value ', 100);
        });
        return [strlen($answer), $cache->stats()['near']];
    }, 60);
    $workers->release();
    $results = $workers->results();
    $near += array_sum(array_column($results, 1));
    $lengths = ($lengths ?? []) + array_flip(array_column($results, 0));
}
echo json_encode(array_keys($lengths)), ' ', $near > 0 ? 'near' : 'asked', "\n";
?>
--EXPECT--
[600] near

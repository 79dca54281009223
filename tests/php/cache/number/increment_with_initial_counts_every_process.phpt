--TEST--
Concurrent increments with $initial are all counted despite deletes (I8)
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/workers.inc';
require __DIR__ . '/../../../_support/memcached.inc';

const PROCESSES = 8, ROUNDS = 40, EACH = 5;
$server = start_memcached();
$cache = new Cache(new Pool($server->address), ttl: 100);
$numbers = run_workers(PROCESSES, function () use ($server) {
    $cache = new Cache(new Pool($server->address), ttl: 100);
    $numbers = [];
    for ($round = 0; $round < ROUNDS; $round++) {
        for ($i = 0; $i < EACH; $i++) {
            $numbers[$round][] = $cache->increment("n$round", 1, initial: 1000);
        }
    }
    return $numbers;
});
$wrong = 0;
for ($round = 0; $round < ROUNDS; $round++) {
    $all = array_merge(...array_column($numbers, $round));
    sort($all);
    $wrong += $all !== range(1001, 1000 + PROCESSES * EACH) || $cache->peek("n$round") !== 1000 + PROCESSES * EACH;
}
echo "absent: $wrong of ", ROUNDS, " wrong\n";

/* Each life of the key is counted from its beginning without a gap or a number told twice. */
$lives = run_workers(PROCESSES, function (int $index) use ($server) {
    $cache = new Cache(new Pool($server->address), ttl: 100);
    $told = [];
    for ($i = 0; $i < 200; $i++) {
        if ($index === 0) {
            $cache->delete('d');
        } else {
            $told[] = $cache->increment('d', 1, initial: 0);
        }
    }
    return $told;
});
$told = array_count_values(array_merge(...$lives));
ksort($told);
$is_falling = true;
$above = PHP_INT_MAX;
foreach ($told as $count) {
    $is_falling = $is_falling && $count <= $above;
    $above = $count;
}
echo 'numbers told: ', json_encode([array_sum($told), array_keys($told) === range(1, count($told)), $is_falling]), "\n";
?>
--EXPECT--
absent: 0 of 40 wrong
numbers told: [1400,true,true]

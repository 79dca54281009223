--TEST--
Concurrent drainMany() and drain() calls store each increment once
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, LockTimeoutException, Pool, Transport};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

const COUNTERS = 150;
[$processes, $increments] = at_full_size() ? [6, 60000] : [3, 4000];
$servers = [start_memcached(), start_memcached()];
$addresses = array_map(fn ($server) => $server->address, $servers);
$pool = fn (Transport $transport = Transport::Libmemcached) => new Pool($addresses, transport: $transport, timeout: 10);
$names = array_map(fn (int $i) => "views:$i", range(0, COUNTERS - 1));
$stop = $servers[0]->path('stop');

$counting = new Workers($processes, function () use ($pool, $names, $increments) {
    $counters = array_map(fn (string $name) => new Counter($pool(Transport::Direct), $name), $names);
    for ($i = 0; $i < $increments; $i++) {
        $counters[random_int(0, COUNTERS - 1)]->increment();
    }
}, 3000);
// Each sums up what it has stored; one call in three stores nothing and throws.
$draining = new Workers(4, function (int $index) use ($pool, $names, $stop) {
    $stored = 0;
    $own = $pool($index % 2 ? Transport::Direct : Transport::Libmemcached);
    do {
        $is_last = file_exists($stop);
        shuffle($names);
        try {
            if ($index === 3) {
                $stored += (new Counter($own, $names[0]))->drain();
            } else {
                Counter::drainMany($own, $names, function (array $amounts) use (&$stored) {
                    if (random_int(0, 2) === 0) {
                        throw new DomainException('no database');
                    }
                    $stored += array_sum($amounts);
                });
            }
        } catch (DomainException | LockTimeoutException) {
        }
    } while (!$is_last);
    return $stored;
}, 3000);
$draining->release();
$counting->release();
$counting->results();
touch($stop);
$by_each = array_map(intval(...), $draining->results());
$left = 0;
Counter::drainMany($pool(), $names, function (array $amounts) use (&$left) { $left += array_sum($amounts); });
$sum = array_sum($by_each) + $left;
echo $sum === $processes * $increments ? 'exact' : "stored $sum of " . $processes * $increments, "\n";
echo min(array_slice($by_each, 0, 3)) > 0 ? 'by several' : json_encode($by_each), "\n";
?>
--EXPECT--
exact
by several

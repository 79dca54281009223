--TEST--
A killed holder's lock without autoRelease expires after TTL and skew (L11)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$locked = [[0.2, 1], [0.7, 1], [1, 0], [1.5, 0.25], [2, 1]];
foreach ($locked as $index => [$ttl, $skew]) {
    $times = $server->path("times$index");
    $workers[$index] = new Workers(1, function () use ($server, $index, $ttl, $skew, $times) {
        $lock = new Lock(new Pool($server->address, timeout: 10), "job$index", $ttl, autoRelease: false, skew: $skew);
        $begun = hrtime(true);
        $lock->acquire();
        file_put_contents("$times.part", $begun . ' ' . hrtime(true));
        rename("$times.part", $times);
        sleep(60);
    });
    $workers[$index]->release();
    while (!file_exists($times)) {
        usleep(500);
    }
    // It was acquired between the two; 10 ms between the clocks that tell its end and this one.
    [$begun, $acquired] = explode(' ', file_get_contents($times));
    $ends[$index] = [$begun + $ttl * 1e9 - 1e7, $acquired + ($ttl + $skew + 1.3) * 1e9];
    $workers[$index]->kill(0);
    $locks[$index] = new Lock(new Pool($server->address, timeout: 10), "job$index", 60, skew: $skew);
    $lines[$index] = "job$index: kept, free in time";
}
while ($locks !== []) {
    foreach ($locks as $index => $lock) {
        $before = hrtime(true);
        if ($lock->acquire()) {
            $lines[$index] = hrtime(true) < $ends[$index][0] ? "job$index: lost early" : $lines[$index];
            unset($locks[$index]);
        } elseif ($before > $ends[$index][1]) {
            $lines[$index] = "job$index: kept, not free in time";
        }
    }
    usleep(2000);
}
echo implode("\n", $lines), "\n";
?>
--EXPECT--
job0: kept, free in time
job1: kept, free in time
job2: kept, free in time
job3: kept, free in time
job4: kept, free in time

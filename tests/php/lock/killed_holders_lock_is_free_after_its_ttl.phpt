--TEST--
The lock of a killed holder is kept for its TTL and free when its TTL and skew are over (L11)
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
    $workers[$index] = new Workers(1, function () use ($server, $index, $ttl, $skew) {
        $lock = new Lock(new Pool($server->address, timeout: 10), "job$index", $ttl, skew: $skew);
        $lock->acquire();
        touch("{$server->host}.$index");
        sleep(60);
    });
    $workers[$index]->release();
    while (!file_exists("{$server->host}.$index")) {
        usleep(500);
    }
    $ends[$index] = hrtime(true) + $ttl * 1e9;
    $limits[$index] = $skew + 1.3;
    $workers[$index]->kill(0);
    $locks[$index] = new Lock(new Pool($server->address, timeout: 10), "job$index", 60, skew: $skew);
}
while ($locks !== []) {
    foreach ($locks as $index => $lock) {
        $before = hrtime(true);
        if ($lock->acquire()) {
            // 10 ms between the acquisition and our note of it; a second for a busy machine.
            $late = (hrtime(true) - $ends[$index]) / 1e9;
            $lines[$index] = "job$index: " . ($before > $ends[$index] - 1e7 ? 'kept' : 'lost early') . ($late <= $limits[$index] ? ', free in time' : ", free after $late s");
            unset($locks[$index]);
        }
    }
    usleep(2000);
}
ksort($lines);
echo implode("\n", $lines), "\n";
?>
--EXPECT--
job0: kept, free in time
job1: kept, free in time
job2: kept, free in time
job3: kept, free in time
job4: kept, free in time

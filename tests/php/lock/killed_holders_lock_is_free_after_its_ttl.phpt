--TEST--
The lock of a killed holder is kept for its TTL and free at most 2 seconds after it, 3 where the TTL has a fraction
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$ttls = [0.2, 0.7, 1, 1.5, 2];
foreach ($ttls as $index => $ttl) {
    $workers[$index] = new Workers(1, function () use ($server, $index, $ttl) {
        $lock = new Lock(new Pool($server->address, timeout: 10), "job$index", $ttl);
        $lock->acquire();
        touch("{$server->host}.$index");
        sleep(60);
    });
    $workers[$index]->release();
    while (!file_exists("{$server->host}.$index")) {
        usleep(500);
    }
    $ends[$index] = hrtime(true) + $ttl * 1e9;
    $workers[$index]->kill(0);
    $locks[$index] = new Lock(new Pool($server->address, timeout: 10), "job$index", 60);
}
while ($locks !== []) {
    foreach ($locks as $index => $lock) {
        $before = hrtime(true);
        if ($lock->acquire()) {
            // 10 ms between the acquisition and our note of it; 0.2 s for a busy machine.
            $late = (hrtime(true) - $ends[$index]) / 1e9;
            $lines[$index] = "job$index: " . ($before > $ends[$index] - 1e7 ? 'kept' : 'lost early') . ($late <= (is_int($ttls[$index]) ? 2.2 : 3.2) ? ', free in time' : ", free after $late s");
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

--TEST--
Signal handlers run while a process waits for a notification (W4)
--EXTENSIONS--
mcpatterns
pcntl
posix
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
$held = new Lock(new Pool($server->address), 'job', ttl: 60);
$held->acquire();
$workers = new Workers(3, function (int $index) use ($server) {
    pcntl_async_signals(true);
    $runs = 0;
    $child = null;
    pcntl_signal(SIGUSR1, function () use ($index, &$runs, &$child) {
        $runs++;
        if ($index === 1) {
            throw new DomainException('from the handler');
        }
        if ($index === 2 && $child === null) {
            $child = pcntl_fork();
        }
    });
    $lock = new Lock(new Pool($server->address), 'job', ttl: 5);
    try {
        $answer = $lock->run(fn () => 'locked', wait: 40.0);
    } catch (DomainException $thrown) {
        $answer = $thrown->getMessage();
    }
    if ($child === 0) {
        leave_without_shutdown();
    }
    if ($child !== null) {
        pcntl_waitpid($child, $status);
    }
    return [$answer, $runs];
}, 90);
$workers->release();
wait_for_sleepers($workers->pids, 3);
usleep(50_000);
array_map(fn (int $pid) => posix_kill($pid, SIGUSR1), $workers->pids);
usleep(100_000);
$held->release();
foreach ($workers->results() as [$answer, $runs]) {
    echo "$answer, $runs run\n";
}
?>
--EXPECT--
locked, 1 run
from the handler, 1 run
locked, 1 run

--TEST--
Signal handlers run during each wait, and an exception ends it
--EXTENSIONS--
mcpatterns
pcntl
--INI--
mcpatterns.timeout=10
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

const WAIT = 60;
$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, wait: WAIT, lease: WAIT);
$holder = new Lock($pool, 'job', ttl: WAIT);
$holder->acquire();
// Somebody who computes until he is killed.
$workers = new Workers(2, function (int $index) use ($server) {
    $pool = new Pool($server->address);
    $stay = function () use ($pool) {
        (new Counter($pool, 'ready'))->increment();
        sleep(WAIT);
    };
    if ($index === 0) {
        (new Cache($pool, lease: WAIT))->remember('cold', WAIT, $stay);
    } else {
        (new Counter($pool, 'first', initial: $stay))->increment();
    }
}, WAIT);
$workers->release();
while ((new Counter($pool, 'ready'))->value() !== 2) {
    usleep(1000);
}

final class Stop extends Exception {}
pcntl_async_signals(true);
$handled = 0;
pcntl_signal(SIGUSR1, function () use (&$handled) {
    if (++$handled === 2) {
        $handled = 0;
        throw new Stop();
    }
});

$waits = [
    'acquire' => fn() => (new Lock($pool, 'job'))->acquire(WAIT),
    'run' => fn() => (new Lock($pool, 'job'))->run(fn() => 1, WAIT),
    'remember' => fn() => $cache->remember('cold', WAIT, fn() => 1),
    'rememberMany' => fn() => $cache->rememberMany(['cold'], WAIT, fn($names) => []),
    'counter' => fn() => (new Counter($pool, 'first', initial: fn() => 1, wait: WAIT))->increment(),
];
foreach ($waits as $name => $wait) {
    $log = tempnam(sys_get_temp_dir(), 'signals');
    $kill = 'sleep 0.1; kill -USR1 ' . getmypid();
    $sender = start_process(['sh', '-c', "$kill; $kill"], $log);
    $start = hrtime(true);
    try {
        var_dump($wait());
    } catch (Stop) {
        echo "$name stopped ", hrtime(true) - $start < WAIT * 5e8 ? 'soon' : 'late', "\n";
    }
    proc_close($sender);
    unlink($log);
}
$workers->kill_all();
$holder->release();
var_dump((new Lock($pool, 'job'))->acquire());
?>
--EXPECT--
acquire stopped soon
run stopped soon
remember stopped soon
rememberMany stopped soon
counter stopped soon
bool(true)

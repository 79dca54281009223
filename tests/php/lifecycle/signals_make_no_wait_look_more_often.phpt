--TEST--
A flood of handled signals makes nothing that waits ask the server more often
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

const WAIT = 0.6;
const HELD = 60;
// In 0.6 s, with the shortest pauses that there are. A look after each signal would be a thousand.
const LOOKS_MAX = 85;
$server = start_memcached();
$pool = new Pool($server->address);
$parent = getmypid();
$workers = new Workers(2, function (int $index) use ($server, $parent) {
    if ($index === 0) {
        while (posix_kill($parent, SIGUSR1)) {
            usleep(500);
        }
    }
    // Holds everything until it is killed.
    $pool = new Pool($server->address);
    $cache = new Cache($pool, lease: HELD);
    $job = new Lock($pool, 'job', ttl: HELD);
    $job->acquire();
    $stay = function () use ($pool) {
        (new Counter($pool, 'ready'))->increment();
        sleep(HELD);
    };
    $start = fn() => (new Counter($pool, 'first', initial: $stay, wait: HELD))->increment();
    $cache->remember('one', HELD, fn() => $cache->rememberMany(['many'], HELD, $start));
}, HELD);

$handled = 0;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use (&$handled) {
    $handled++;
});
$workers->release();
while ((new Counter($pool, 'ready'))->value() !== 1) {
    usleep(1000);
}

$cache = new Cache($pool, wait: WAIT, lease: HELD);
$waits = [
    'acquire' => fn() => (new Lock($pool, 'job'))->acquire(WAIT),
    'remember' => fn() => $cache->remember('one', HELD, fn() => 1),
    'rememberMany' => fn() => $cache->rememberMany(['many'], HELD, fn() => []),
    'counter' => fn() => (new Counter($pool, 'first', initial: fn() => 1, wait: WAIT))->value(),
];
foreach ($waits as $name => $wait) {
    $before = (int) current($pool->stats())['cmd_get'];
    $handled = 0;
    $wait();
    $looks = current($pool->stats())['cmd_get'] - $before;
    // The guard and the number; and over Direct an add is read back in its own round trip.
    $most = LOOKS_MAX * (in_array($name, ['counter', 'acquire'], true) ? 2 : 1);
    echo $name, ': ', $looks <= $most ? 'as ever' : "$looks looks", "\n";
    var_dump($handled > 10);
}
$workers->kill_all();
?>
--EXPECT--
acquire: as ever
bool(true)
remember: as ever
bool(true)
rememberMany: as ever
bool(true)
counter: as ever
bool(true)

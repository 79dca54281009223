--TEST--
Frequent signals do not make waiting calls send more requests
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../_support/held.inc';
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
    hold_everything(new Pool($server->address), HELD);
}, HELD);

$handled = 0;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use (&$handled) {
    $handled++;
});
$workers->release();
await_that_everything_is_held($pool);

foreach (waits_for_what_is_held($pool, WAIT, HELD) as $name => $wait) {
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

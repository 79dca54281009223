--TEST--
Signal handlers run during the wait for the first discovered list
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached(['tcp' => true]);
$endpoint = start_discovery_endpoint(['delay' => 0.5]);
$endpoint->tell(1, [$server->address]);
$main = getmypid();
$workers = new Workers(2, function (int $index) use ($endpoint, $main): string {
    if ($index === 1) {
        while (is_running($main)) { // until it is killed
            send_signal($main, SIGUSR1);
            usleep(200); // others want the processor, too
        }
    }
    return (new Lock(new Pool("discover://$endpoint->address", timeout: 20), 'first'))->acquire() ? 'held' : 'not held';
});
$handled = 0;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, function () use (&$handled): void {
    $handled++;
});
$workers->release();
while ($endpoint->asked() === 0) {
    usleep(1000);
}
$pool = new Pool("discover://$endpoint->address", timeout: 20);
echo (new Lock($pool, 'second'))->acquire() ? 'held' : 'not held', "\n";
echo $handled > 0 ? 'handled' : 'nothing came', "\n";
$workers->kill_all();
?>
--EXPECT--
held
handled

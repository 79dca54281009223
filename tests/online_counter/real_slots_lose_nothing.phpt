--TEST--
On real memcached, with slots of a second and events from several processes, every ended slot has exactly its events
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool};

require_once __DIR__ . '/../_support/full_size.inc';
require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/workers.inc';

// At full size: 4 processes for 40 s, 100 events a second.
$seconds = at_full_size() ? 40 : 5;
$server = start_memcached();
$begin = microtime(true);

// Answers slot => events. One that began before a slot's end and ended after it is told apart.
function count_events(string $address, float $begin, int $seconds): array
{
    $online = new OnlineCounter(new Pool($address, timeout: 10), 'page', 4, 4);
    $sure = $unsure = [];
    for ($i = 0; microtime(true) < $begin + $seconds; $i++) {
        $slot = (int) microtime(true);
        // Half of them crowd around the ends of the slots.
        $i % 2 ? $online->increment() : $online->hit("visitor " . getmypid() . " $i");
        if ((int) microtime(true) === $slot) {
            $sure[$slot] = ($sure[$slot] ?? 0) + 1;
        } else {
            $unsure[$slot] = ($unsure[$slot] ?? 0) + 1;
        }
        $to_the_end = 1 - fmod(microtime(true), 1);
        usleep($i % 4 === 3 && $to_the_end < 0.2 ? (int) ($to_the_end * 1e6) : 30000);
    }
    return [$sure, $unsure];
}

$workers = new Workers(5, function (int $index) use ($server, $begin, $seconds) {
    if ($index < 4) {
        return count_events($server->address, $begin, $seconds);
    }
    // What each slot had when it was the newest and the oldest of those that have ended.
    $online = new OnlineCounter(new Pool($server->address, timeout: 10), 'page', 4, 4);
    $seen = [];
    for ($slot = (int) $begin + 1; $slot < $begin + $seconds + 6; $slot++) {
        usleep(max(0, (int) (($slot + 0.5 - microtime(true)) * 1e6)));
        $slots = $online->perSlot();
        $seen[] = ['at' => (int) microtime(true), 'count' => $online->count(), 'slots' => $slots];
    }
    return $seen;
}, $seconds + 60);
$workers->release();
$results = $workers->results();

$least = $most = [];
for ($i = 0; $i < 4; $i++) {
    [$sure, $unsure] = $results[$i];
    foreach ($sure as $slot => $events) {
        $least[$slot] = ($least[$slot] ?? 0) + $events;
        $most[$slot] = ($most[$slot] ?? 0) + $events;
    }
    foreach ($unsure as $slot => $events) {
        $most[$slot] = ($most[$slot] ?? 0) + $events;
        $most[$slot + 1] = ($most[$slot + 1] ?? 0) + $events;
    }
}
$error = $compared = 0;
foreach ($results[4] as ['at' => $at, 'count' => $count, 'slots' => $slots]) {
    unset($slots[array_key_first($slots)]);
    foreach ($slots as $slot => $events) {
        $error += max(0, ($least[$slot] ?? 0) - $events, $events - ($most[$slot] ?? 0));
        $compared += $events;
    }
    // A second may have ended between the two calls.
    $error += array_key_first($slots) === $at - 1 && array_sum($slots) !== $count ? 1 : 0;
}
echo "error $error\n", $compared >= 4 * $seconds * 10 ? 'over enough events' : "over $compared only", "\n";
report(sprintf('%d events in %d s by 4 processes, of which %d across the end of a slot: error %d', array_sum($most), $seconds, (array_sum($most) - array_sum($least)) / 2, $error));
?>
--EXPECT--
error 0
over enough events

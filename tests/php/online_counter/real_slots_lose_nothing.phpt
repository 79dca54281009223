--TEST--
Ended slots contain each concurrent event on a real memcached
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

// At full size: 4 processes for 40 s.
$seconds = at_full_size() ? 40 : 5;
$server = start_memcached();
$begin = microtime(true);

// What each slot has at least and at most: an event that began in one slot and ended in another is in either.
function count_events(string $address, float $begin, int $seconds): array
{
    $online = new OnlineCounter(new Pool($address, timeout: 10), 'page', 4, 4);
    $least = $most = [];
    for ($i = $across = 0; microtime(true) < $begin + $seconds; $i++) {
        $slot = (int) microtime(true);
        $i % 2 ? $online->increment() : $online->hit("visitor " . getmypid() . " $i");
        $end = (int) microtime(true);
        for ($possible = $slot; $possible <= $end; $possible++) {
            $most[$possible] = ($most[$possible] ?? 0) + 1;
        }
        $least[$slot] = ($least[$slot] ?? 0) + ($end === $slot ? 1 : 0);
        $across += $end === $slot ? 0 : 1;
        pause_until_the_crowd();
    }
    return [$least, $most, $i, $across];
}

// 30 ms between two events; but from a millisecond before a slot's end to one after it none, so that most
// ends have an event of each process across them.
function pause_until_the_crowd(): void
{
    $to_the_end = 1 - fmod(microtime(true), 1);
    if ($to_the_end > 0.001 && $to_the_end < 0.999) {
        usleep((int) (min(0.03, $to_the_end - 0.001) * 1e6));
    }
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

$least = $most = $final = [];
$events = $across = $error = 0;
for ($i = 0; $i < 4; $i++) {
    foreach ($results[$i][0] as $slot => $number) {
        $least[$slot] = ($least[$slot] ?? 0) + $number;
    }
    foreach ($results[$i][1] as $slot => $number) {
        $most[$slot] = ($most[$slot] ?? 0) + $number;
    }
    $events += $results[$i][2];
    $across += $results[$i][3];
}
foreach ($results[4] as ['at' => $at, 'count' => $count, 'slots' => $slots]) {
    // A second may have ended between the two calls, and events have come.
    $error += array_key_first($slots) === $at && array_sum($slots) > $count ? 1 : 0;
    unset($slots[array_key_first($slots)]);
    foreach ($slots as $slot => $number) {
        $error += max(0, ($least[$slot] ?? 0) - $number, $number - ($most[$slot] ?? 0));
        // A slot that has ended does not move, but for the calls across its end.
        $error += $number < ($final[$slot] ?? 0) ? 1 : 0;
        $final[$slot] = $number;
    }
}
$error += abs(array_sum($final) - $events);
echo "error $error\n", $events >= 4 * $seconds * 10 ? 'over enough events' : "over $events only", ', ', $across > 0 ? 'some of them' : 'none', " across the end of a slot\n";
report_figures(sprintf('%d events in %d s by 4 processes, of which %d across the end of a slot: error %d', $events, $seconds, $across, $error));
?>
--EXPECT--
error 0
over enough events, some of them across the end of a slot

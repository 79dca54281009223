--TEST--
Restarts of memcached lose no session change that was stored afterwards (E11, E12, E17)
--EXTENSIONS--
mcpatterns
pcntl
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/session_traffic.inc';
require __DIR__ . '/../../_support/never.inc';

[$rounds, $requests] = at_full_size() ? [20, 512] : [1, 112];
$traffic = new SessionTraffic();
$lost = $overlaps = $gone = 0;
foreach (['lock', 'merge'] as $locking) {
    for ($round = 0; $round < $rounds; $round++) {
        $found = $traffic->round($locking, $requests, ['lose', 'kill', 'freeze']);
        $stored = $traffic->journal->stored();
        $again = max([0, ...$traffic->restarts]);
        $missing = array_diff_key($stored, $found);
        $gone += count($missing);
        $lost += count(array_filter($missing, fn (float $closing): bool => $closing >= $again));
        $overlaps += $traffic->journal->overlaps($traffic->deaths, $traffic->restarts);
    }
}
$told = "lost without a reason: $lost, holders beside another whose lock was not lost: $overlaps";
$lost + $overlaps > 0 ? never($told) : print("$told\n");
['requests' => $asked, 'restarts of memcached' => $restarts] = $traffic->counts;
echo $asked === 2 * $rounds * $requests && (!at_full_size() || ($restarts > 20 && $gone > 0)) ? 'all were stored' : json_encode($traffic->counts), "\n";
foreach (array_slice($traffic->complaints(), 0, 5) as $complaint) {
    echo $complaint, "\n";
}
report_figures("$asked requests of sessions stored through php-fpm while memcached was restarted $restarts times, {$traffic->counts['killed']} workers killed: $gone changes lost with it, $lost others; "
    . "$overlaps holders beside another whose lock was not lost");
?>
--EXPECT--
lost without a reason: 0, holders beside another whose lock was not lost: 0
all were stored

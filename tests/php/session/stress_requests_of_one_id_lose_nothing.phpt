--TEST--
Kills, restarts and freezes lose no acknowledged change of a session (E11, E12)
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

[$rounds, $requests] = at_full_size() ? [66, 512] : [1, 112];
$traffic = new SessionTraffic();
$lost = $overlaps = $uncounted = $unfounded = 0;
for ($round = 0; $round < $rounds; $round++) {
    foreach (['lock', 'merge', 'none'] as $locking) {
        $found = $traffic->round($locking, $requests, ['kill', 'freeze', 'restart']);
        $stored = $traffic->journal->stored();
        if ($locking === 'none') {
            // The last one's, as a whole.
            $unfounded += !isset($found['last'], $found[$found['last']]);
            continue;
        }
        $lost += count(array_diff_key($stored, $found));
        if ($locking === 'lock') {
            $overlaps += $traffic->journal->overlaps($traffic->deaths);
            // One that is late has counted from what it had seen, beside others.
            $uncounted += $traffic->journal->outlived() === 0 ? max(0, count($stored) - $found['count']) : 0;
        }
    }
}
$told = "acknowledged and lost: $lost, of counts: $uncounted, holders beside another: $overlaps, sessions of nobody: $unfounded";
$lost + $uncounted + $overlaps + $unfounded > 0 ? never($told) : print("$told\n");
['requests' => $asked, 'failed' => $failed, 'killed' => $killed, 'freezes' => $freezes, 'restarts of php-fpm' => $restarts] = $traffic->counts;
echo $asked === 3 * $rounds * $requests && (!at_full_size() || min($killed, $freezes, $restarts) > 20) ? 'all were stored' : json_encode($traffic->counts), "\n";
foreach (array_slice($traffic->complaints(), 0, 5) as $complaint) {
    echo $complaint, "\n";
}
report_figures("$asked requests of sessions stored through php-fpm, 16 at a time, in three modes; $failed were tried once more; $killed workers killed, $restarts restarts of php-fpm, "
    . "memcached frozen $freezes times: $lost acknowledged changes lost, $overlaps holders beside another, {$traffic->conflicts()} conflicts");
?>
--EXPECT--
acknowledged and lost: 0, of counts: 0, holders beside another: 0, sessions of nobody: 0
all were stored

--TEST--
count() equals exact sets over 1,000 windows, perSlot() by last hit (O1 to O4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool};

const WINDOW = 300, SLOTS = 5, LENGTH = WINDOW / SLOTS;
mt_srand(7);
$time = 1800000000;
Clock::freeze($time);
$online = new OnlineCounter(new Pool('memory://m'), 'page', WINDOW, SLOTS);
$last = []; // visitor => the slot of his last hit
$wrong = ['hits' => 0, 'counts' => 0, 'slots' => 0, 'who stays' => 0];

function visit(string $visitor): void
{
    global $online, $last, $time, $wrong;
    $slot = intdiv($time, LENGTH);
    $is_new = ($last[$visitor] ?? 0) < $slot - SLOTS;
    $last[$visitor] = $slot;
    $wrong['hits'] += $online->hit($visitor) !== $is_new;
}

function compare(): void
{
    global $online, $last, $time, $wrong;
    $slot = intdiv($time, LENGTH);
    $expected = [];
    for ($back = 0; $back <= SLOTS; $back++) {
        $expected[($slot - $back) * LENGTH] = count(array_keys($last, $slot - $back, true));
    }
    $wrong['counts'] += $online->count() !== array_sum($expected);
    $wrong['slots'] += $online->perSlot() !== $expected;
}

for ($slots = 1000 * SLOTS; $slots > 0; $slots--) {
    for ($second = 0; $second < LENGTH; $second += 20) {
        // Quiet, busy, or everybody at once.
        $hits = [0, 1, 3, 3, 12][mt_rand(0, 4)];
        for ($i = 0; $i < $hits; $i++) {
            visit('v' . mt_rand(1, 30));
        }
        Clock::advance(20);
        $time += 20;
        compare();
    }
}
// Each comes back 290 s later, everybody at another moment.
for ($second = 0; $second < 5 * 290; $second++) {
    for ($i = 1; $i <= 30; $i++) {
        if (($second + $i * 9) % 290 === 0) {
            visit("v$i");
        }
    }
    Clock::advance(1);
    $time++;
    if ($second > 2 * 290) {
        $wrong['who stays'] += $online->count() !== 30;
    }
}
compare();
echo json_encode($wrong), "\n";
?>
--EXPECT--
{"hits":0,"counts":0,"slots":0,"who stays":0}

--TEST--
count() is the number of different visitors counted in the slots that have ended, over 1,000 windows with bursts, and never more than came in them; of visitors who come in every slot it is all; perSlot() shows each slot's (O1 to O4)
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
$sets = $came = [];
$wrong = ['hits' => 0, 'counts' => 0, 'more than came' => 0, 'slots' => 0, 'who stays' => 0];

function visit(string $visitor): void
{
    global $online, $sets, $came, $time, $wrong;
    $slot = intdiv($time, LENGTH);
    $came[$slot][$visitor] = true;
    $is_new = true;
    for ($back = 0; $back < SLOTS; $back++) {
        $is_new = $is_new && !isset($sets[$slot - $back][$visitor]);
    }
    if ($is_new) {
        $sets[$slot][$visitor] = true;
    }
    $wrong['hits'] += $online->hit($visitor) !== $is_new;
}

function different(array $sets, int $slot): int
{
    $union = [];
    for ($back = 1; $back <= SLOTS; $back++) {
        $union += $sets[$slot - $back] ?? [];
    }
    return count($union);
}

function compare(): void
{
    global $online, $sets, $came, $time, $wrong;
    $slot = intdiv($time, LENGTH);
    $count = $online->count();
    $wrong['counts'] += $count !== different($sets, $slot);
    $wrong['more than came'] += $count > different($came, $slot);
    $expected = [];
    for ($back = 0; $back <= SLOTS; $back++) {
        $expected[($slot - $back) * LENGTH] = count($sets[$slot - $back] ?? []);
    }
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
    unset($sets[intdiv($time, LENGTH) - SLOTS - 2], $came[intdiv($time, LENGTH) - SLOTS - 2]);
}
// Everybody once in every slot, at another moment each time.
for ($slots = 5 * SLOTS; $slots > 0; $slots--) {
    for ($second = 0; $second < LENGTH; $second += 20) {
        for ($i = 1; $i <= 30; $i++) {
            if (($i + $slots) % 3 * 20 === $second) {
                visit("v$i");
            }
        }
        Clock::advance(20);
        $time += 20;
        compare();
    }
    if ($slots < 5 * SLOTS) {
        $wrong['who stays'] += $online->count() !== 30;
    }
}
echo json_encode($wrong), "\n";
?>
--EXPECT--
{"hits":0,"counts":0,"more than came":0,"slots":0,"who stays":0}

--TEST--
count(smooth: true) stays within 5 % without jumps between slots (O3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, OnlineCounter, Pool};

Clock::freeze(1800000000);
$pool = new Pool('memory://m');
foreach ([1, 5, 60] as $slots) {
    // New visitors, 10 a second: 600 in the true window of a minute.
    $online = new OnlineCounter($pool, "new $slots", 60, $slots);
    $farthest = $jump = $before = 0;
    for ($tick = 0; $tick < 3000; $tick++) {
        $online->increment();
        Clock::advance(0.1);
        $now = $online->count(smooth: true);
        if ($tick >= 1260) {
            $farthest = max($farthest, abs($now - 600) / 600);
            $jump = max($jump, abs($now - $before) / 600);
        }
        $before = $now;
    }
    echo "$slots slots: ", $farthest <= 0.05 ? 'near' : "off by $farthest", ', ', $jump <= 0.01 ? 'even' : "jumps by $jump", "\n";
}
// The same 60 people, each back every 5 s.
$online = new OnlineCounter($pool, 'staying', 60, 5);
$farthest = $jump = $before = 0;
for ($tick = 0; $tick < 3600; $tick++) {
    $visitor = $tick % 60;
    if ($tick / 12 >= $visitor) {
        $online->hit("visitor $visitor");
    }
    Clock::advance(5 / 60);
    $now = $online->count(smooth: true);
    if ($tick >= 1440 + 720) {
        $farthest = max($farthest, abs($now - 60));
        $jump = max($jump, abs($now - $before));
    }
    $before = $now;
}
echo "staying: off by $farthest, jumps by $jump; ", $online->count(), "\n";
?>
--EXPECT--
1 slots: near, even
5 slots: near, even
60 slots: near, even
staying: off by 0, jumps by 0; 60

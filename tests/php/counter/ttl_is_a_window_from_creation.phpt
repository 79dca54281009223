--TEST--
A Counter's TTL starts at creation, and only set() restarts it
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Counter, Pool};

const DAY = 86400;
Clock::freeze(1800000000);
$pool = new Pool('memory://m');
foreach ([0.5, 60, 40 * DAY] as $ttl) {
    $counter = new Counter($pool, "window $ttl", ttl: $ttl);
    $counter->increment();
    for ($i = 0; $i < 9; $i++) {
        Clock::advance($ttl / 10);
        $counter->increment();
    }
    echo "$ttl s: ", $counter->value();
    Clock::advance($ttl / 10 + 3);
    echo ', afterwards ', $counter->value(), ', next ', $counter->increment(), "\n";
    $counter->decrement(5);
    Clock::advance($ttl + 3);
    echo '  counted down: ', $counter->value();
    $counter->increment();
    Clock::advance($ttl * 0.9);
    $counter->set(7);
    Clock::advance($ttl * 0.9);
    echo ', set: ', $counter->value();
    $counter->drain();
    $counter->increment();
    Clock::advance($ttl * 0.1 + 3);
    echo ', drained and counted: ', $counter->value(), "\n";
}
$counter = new Counter($pool, 'for ever');
$counter->increment();
Clock::advance(365 * DAY);
echo $counter->increment(), "\n";
?>
--EXPECT--
0.5 s: 10, afterwards 0, next 1
  counted down: 0, set: 7, drained and counted: 0
60 s: 10, afterwards 0, next 1
  counted down: 0, set: 7, drained and counted: 0
3456000 s: 10, afterwards 0, next 1
  counted down: 0, set: 7, drained and counted: 0
2

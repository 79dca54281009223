--TEST--
Each algorithm admits exactly its limit, and reports remaining and available time (R1, R2, R6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Limiting, Pool, RateLimiter};

$pool = new Pool('memory://m');
Clock::freeze(1_800_000_000.0);

/** How many of these attempts at one moment are admitted. */
function admitted(RateLimiter $limiter, int $attempts, string $who = ''): int
{
    return array_sum(array_map(fn () => (int) $limiter->attempt($who), range(1, $attempts)));
}

foreach (Limiting::cases() as $how) {
    $limiter = new RateLimiter($pool, "mails $how->name", 6, 60, $how, slots: 6);
    Clock::advance(30);
    echo "$how->name: ", admitted($limiter, 9), ' of 9, left ', $limiter->remaining(), ', in ', $limiter->availableIn(), " s\n";
    foreach ([9, 1, 19, 1, 20, 10, 60] as $seconds) {
        Clock::advance($seconds);
        echo "  $seconds s later: ", $limiter->remaining(), ' left, ', admitted($limiter, 9), " of 9\n";
    }
    $limiter->reset();
    echo '  reset: ', $limiter->remaining(), ' left, ', json_encode($limiter->attempt(cost: 6)), "\n";
    // Each has a limit of his own, and so has each name and each period.
    echo '  of another: ', $limiter->remaining('anna'), ', ', (new RateLimiter($pool, "mails $how->name", 6, 120, $how))->remaining(), "\n";
    Clock::advance(1000);
}
$named = new RateLimiter($pool, 'a:b', 5, 60);
$named->attempt('c');
echo 'names: ', $named->remaining('c'), ' ', (new RateLimiter($pool, 'a', 5, 60))->remaining('b:c'), "\n";
$burst = new RateLimiter($pool, 'burst', 60, 60, Limiting::TokenBucket, burst: 3);
echo 'burst: ', admitted($burst, 9), ', in ', $burst->availableIn(), "\n";
foreach (["any \n bytes \0 \xFF", str_repeat('long', 1000), ''] as $who) {
    echo admitted($named, 7, $who), ' ', $named->remaining($who), "\n";
}
?>
--EXPECT--
FixedWindow: 6 of 9, left 0, in 30 s
  9 s later: 0 left, 0 of 9
  1 s later: 0 left, 0 of 9
  19 s later: 0 left, 0 of 9
  1 s later: 6 left, 6 of 9
  20 s later: 0 left, 0 of 9
  10 s later: 0 left, 0 of 9
  60 s later: 6 left, 6 of 9
  reset: 6 left, true
  of another: 6, 6
SlidingWindow: 6 of 9, left 0, in 70 s
  9 s later: 0 left, 0 of 9
  1 s later: 0 left, 0 of 9
  19 s later: 0 left, 0 of 9
  1 s later: 0 left, 0 of 9
  20 s later: 0 left, 0 of 9
  10 s later: 0 left, 0 of 9
  60 s later: 6 left, 6 of 9
  reset: 6 left, true
  of another: 6, 6
TokenBucket: 6 of 9, left 0, in 10 s
  9 s later: 0 left, 0 of 9
  1 s later: 1 left, 1 of 9
  19 s later: 1 left, 1 of 9
  1 s later: 1 left, 1 of 9
  20 s later: 2 left, 2 of 9
  10 s later: 1 left, 1 of 9
  60 s later: 6 left, 6 of 9
  reset: 6 left, true
  of another: 6, 6
names: 4 5
burst: 3, in 1
5 0
5 0
5 0

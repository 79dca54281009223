--TEST--
RateLimiter::availableIn() returns exactly when a cost is admitted
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Limiting, Pool, RateLimiter};

$pool = new Pool('memory://m');
foreach (Limiting::cases() as $how) {
    Clock::freeze(1_800_000_000.0);
    $limiter = new RateLimiter($pool, "batch $how->name", 10, 60, $how, slots: 6);
    $seen = [];
    foreach ([4, 1, 3, 2] as $cost) {
        $limiter->attempt('w', $cost);
        Clock::advance(11);
    }
    foreach ([1, 2, 5, 9, 10] as $cost) {
        $now = Clock::now();
        $wait = $limiter->availableIn('w', $cost);
        $copy = new RateLimiter($pool, "batch $how->name", 10, 60, $how, slots: 6);
        Clock::freeze($now + max(0, $wait - 0.001));
        $before = $wait == 0 || !($limiter->remaining('w') >= $cost);
        Clock::freeze($now + $wait);
        $seen[] = "$cost in " . round($wait, 3) . ($before && $limiter->remaining('w') >= $cost && $copy->availableIn('w', $cost) === 0.0 ? '' : ' WRONG');
        Clock::freeze($now);
    }
    Clock::advance($limiter->availableIn('w', 10));
    echo "$how->name: ", implode(', ', $seen), ', ', $limiter->attempt('w', 10) ? 'admitted' : 'refused', ', ', $limiter->availableIn('other', 10), "\n";
    foreach ([0, -1, 11, PHP_INT_MAX] as $cost) {
        try {
            $limiter->availableIn('w', $cost);
            echo "accepted $cost\n";
        } catch (ValueError $error) {
            echo $cost === 11 ? $error->getMessage() . "\n" : '';
        }
    }
}
$uneven = new RateLimiter($pool, 'uneven', 7, 1, Limiting::TokenBucket, burst: 1);     // one per 142.858 ms
$uneven->attempt();
for ($i = 0, $admitted = 0; $i < 20; $i++) {
    Clock::advance($uneven->availableIn());
    $admitted += (int) $uneven->attempt();
}
echo "uneven: $admitted of 20\n";
?>
--EXPECT--
FixedWindow: 1 in 16, 2 in 16, 5 in 16, 9 in 16, 10 in 16, admitted, 0
McPatterns\RateLimiter::availableIn(): Argument #2 ($cost) must be between 1 and the limit, 10
SlidingWindow: 1 in 26, 2 in 26, 5 in 36, 9 in 56, 10 in 56, admitted, 0
McPatterns\RateLimiter::availableIn(): Argument #2 ($cost) must be between 1 and the limit, 10
TokenBucket: 1 in 0, 2 in 0, 5 in 0, 9 in 10, 10 in 16, admitted, 0
McPatterns\RateLimiter::availableIn(): Argument #2 ($cost) must be between 1 and the burst, 10
uneven: 20 of 20

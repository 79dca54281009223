--TEST--
Each method of RateLimiter costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Limiting, Pool, RateLimiter, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses[0], transport: $transport);
    $pool->ping();
    Clock::freeze();
    ask_for_proofs($pool);
    $mark('warm up');
    foreach (Limiting::cases() as $how) {
        $limiter = new RateLimiter($pool, 'login', 2, 60, $how);
        $limiter->attempt('anna'); $mark("$how->name: attempt, first");
        $limiter->attempt('anna'); $mark("$how->name: attempt");
        $limiter->attempt('anna'); $mark("$how->name: attempt, refused");
        $limiter->remaining('anna'); $mark("$how->name: remaining");
        $limiter->availableIn('anna'); $mark("$how->name: availableIn");
        $limiter->reset('anna'); $mark("$how->name: reset");
        $limiter->reset('anna'); $mark("$how->name: reset of nothing");
    }
    // Keys of 8,000 bytes are one request; all slots are on one server.
    $fine = new RateLimiter(new Pool($addresses, transport: $transport), 'login', 100, 3600, slots: 1000);
    $mark('-');
    $fine->attempt('anna'); $mark('SlidingWindow, 1000 slots: attempt');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
FixedWindow: attempt, first: 2
FixedWindow: attempt: 1
FixedWindow: attempt, refused: 1
FixedWindow: remaining: 1
FixedWindow: availableIn: 1
FixedWindow: reset: 2
FixedWindow: reset of nothing: 1
SlidingWindow: attempt, first: 2
SlidingWindow: attempt: 2
SlidingWindow: attempt, refused: 1
SlidingWindow: remaining: 1
SlidingWindow: availableIn: 1
SlidingWindow: reset: 2
SlidingWindow: reset of nothing: 1
TokenBucket: attempt, first: 2
TokenBucket: attempt: 2
TokenBucket: attempt, refused: 1
TokenBucket: remaining: 1
TokenBucket: availableIn: 1
TokenBucket: reset: 1
TokenBucket: reset of nothing: 1
SlidingWindow, 1000 slots: attempt: 6

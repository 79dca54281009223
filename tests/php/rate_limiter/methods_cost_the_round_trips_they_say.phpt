--TEST--
Every method of RateLimiter costs the round trips that its documentation says
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Limiting, Pool, RateLimiter};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips([start_memcached()], function (array $addresses, callable $mark) {
    $pool = new Pool($addresses[0]);
    $pool->ping();
    Clock::freeze();
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
    $fine = new RateLimiter(new Pool($addresses), 'login', 100, 3600, slots: 1000);
    $mark('-');
    $fine->attempt('anna'); $mark('Sliding, 1000 slots: attempt');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
Window: attempt, first: 2
Window: attempt: 1
Window: attempt, refused: 1
Window: remaining: 1
Window: availableIn: 1
Window: reset: 2
Window: reset of nothing: 1
Sliding: attempt, first: 2
Sliding: attempt: 2
Sliding: attempt, refused: 1
Sliding: remaining: 1
Sliding: availableIn: 1
Sliding: reset: 2
Sliding: reset of nothing: 1
Bucket: attempt, first: 2
Bucket: attempt: 2
Bucket: attempt, refused: 1
Bucket: remaining: 1
Bucket: availableIn: 1
Bucket: reset: 1
Bucket: reset of nothing: 1
Sliding, 1000 slots: attempt: 6

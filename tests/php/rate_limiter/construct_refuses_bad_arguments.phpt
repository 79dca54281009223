--TEST--
RateLimiter rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Limiting, Pool, RateLimiter};

$pool = new Pool('memory://m');
$limiter = new RateLimiter($pool, 'a', 5, 60);
$bucket = new RateLimiter($pool, 'a', 5, 60, Limiting::TokenBucket, burst: 2);
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new RateLimiter($pool, null, 5, 60);
} catch (ValueError) {
}
// One that constructs it meanwhile: then the outer call is the second.
set_error_handler(function () use ($pool, &$inner) {
    $inner = debug_backtrace()[1]['object'];
    $inner->__construct($pool, 'inner', 7, 60);
});
try {
    new RateLimiter($pool, null, 5, 60);
    echo "accepted\n";
} catch (Error $error) {
    echo str_replace('McPatterns\\', '', $error->getMessage()), ', remaining: ', $inner->remaining(), "\n";
}
restore_error_handler();
$attempts = [
    fn () => new RateLimiter($pool, '', 5, 60),
    fn () => new RateLimiter($pool, 'a', 0, 60),
    fn () => new RateLimiter($pool, 'a', -1, 60),
    fn () => new RateLimiter($pool, 'a', PHP_INT_MAX, 60),
    fn () => new RateLimiter($pool, 'a', 5, 0),
    fn () => new RateLimiter($pool, 'a', 5, -1.5),
    fn () => new RateLimiter($pool, 'a', 5, NAN),
    fn () => new RateLimiter($pool, 'a', 5, INF),
    fn () => new RateLimiter($pool, 'a', 5, 4294968),
    fn () => new RateLimiter($pool, 'a', 5, new DateInterval('PT1M')),
    fn () => new RateLimiter($pool, 'a', 5, 0.9),
    fn () => new RateLimiter($pool, 'a', 5, 0.09, Limiting::FixedWindow),
    fn () => new RateLimiter($pool, 'a', 5, 60, slots: 0),
    fn () => new RateLimiter($pool, 'a', 5, 3600, slots: 1001),
    fn () => new RateLimiter($pool, 'a', 5, 60, burst: 5),
    fn () => new RateLimiter($pool, 'a', 5, 60, Limiting::FixedWindow, burst: 5),
    fn () => new RateLimiter($pool, 'a', 5, 60, Limiting::TokenBucket, burst: 0),
    fn () => new RateLimiter($pool, 'a', 1, 1000, Limiting::TokenBucket, burst: 4295),
    fn () => new RateLimiter($pool, 'a', 60_000_001, 60, Limiting::TokenBucket),
    fn () => $limiter->attempt('x', 0),
    fn () => $limiter->attempt('x', 6),
    fn () => $bucket->attempt('x', 3),
    fn () => $none->attempt(),
    fn () => $none->remaining(),
    fn () => $none->availableIn(),
    fn () => $none->reset(),
    fn () => $limiter->__construct($pool, 'b', 1, 1),
    fn () => clone $limiter,
    fn () => serialize($limiter),
    function () use ($limiter) { $limiter->other = 1; },
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
new RateLimiter($pool, "any \n bytes", 10 ** 15, 4294967, slots: 1000);
new RateLimiter($pool, 'a', 60_000_000, 60, Limiting::TokenBucket, burst: 10 ** 12);
new RateLimiter($pool, 'a', 1, 0.1, Limiting::FixedWindow);
new RateLimiter($pool, 'a', 1, 0.001, Limiting::TokenBucket);
new RateLimiter($pool, 'a', 1, 1);
?>
--EXPECT--
Cannot call the constructor of a RateLimiter twice, remaining: 7
ValueError: RateLimiter::__construct(): Argument #2 ($name) must not be empty
ValueError: RateLimiter::__construct(): Argument #3 ($limit) must be between 1 and 1000000000000000
ValueError: RateLimiter::__construct(): Argument #3 ($limit) must be between 1 and 1000000000000000
ValueError: RateLimiter::__construct(): Argument #3 ($limit) must be between 1 and 1000000000000000
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be greater than 0
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be greater than 0
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be a finite number of seconds
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be a finite number of seconds
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be at most 4294967 seconds
TypeError: RateLimiter::__construct(): Argument #4 ($period) must be of type int|float, DateInterval given
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be at least 0.1 seconds for each of the 10 slots
ValueError: RateLimiter::__construct(): Argument #4 ($period) must be at least 0.1 seconds
ValueError: RateLimiter::__construct(): Argument #6 ($slots) must be between 1 and 1000
ValueError: RateLimiter::__construct(): Argument #6 ($slots) must be between 1 and 1000
ValueError: RateLimiter::__construct(): Argument #7 ($burst) must be null unless $algorithm is Limiting::TokenBucket
ValueError: RateLimiter::__construct(): Argument #7 ($burst) must be null unless $algorithm is Limiting::TokenBucket
ValueError: RateLimiter::__construct(): Argument #7 ($burst) must be between 1 and 357913, the amount refilled in 4294967 seconds
ValueError: RateLimiter::__construct(): Argument #7 ($burst) must be between 1 and 4294, the amount refilled in 4294967 seconds
ValueError: RateLimiter::__construct(): Argument #3 ($limit) must be at most 1000000 per second for Limiting::TokenBucket
ValueError: RateLimiter::attempt(): Argument #2 ($cost) must be between 1 and the limit, 5
ValueError: RateLimiter::attempt(): Argument #2 ($cost) must be between 1 and the limit, 5
ValueError: RateLimiter::attempt(): Argument #2 ($cost) must be between 1 and the burst, 2
Error: RateLimiter object was never constructed
Error: RateLimiter object was never constructed
Error: RateLimiter object was never constructed
Error: RateLimiter object was never constructed
Error: Cannot call the constructor of a RateLimiter twice
Error: Trying to clone an uncloneable object of class RateLimiter
Exception: Serialization of 'RateLimiter' is not allowed
Error: Cannot create dynamic property RateLimiter::$other

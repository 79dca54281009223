--TEST--
whenDown admits or rejects everybody during an outage, and reset() throws
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Limiting, Pool, RateLimiter, StoredValueException};

require __DIR__ . '/../../_support/when_down.inc';

$calls = [
    'attempt' => fn (RateLimiter $limiter) => $limiter->attempt('ada', 2),
    'remaining' => fn (RateLimiter $limiter) => $limiter->remaining('ada'),
    'availableIn' => fn (RateLimiter $limiter) => $limiter->availableIn('ada'),
    'reset' => fn (RateLimiter $limiter) => $limiter->reset('ada'),
];
answer_outages(fn (Pool $pool) => new RateLimiter($pool, 'login', 5, 90.5, whenDown: true), $calls);
answer_outages(fn (Pool $pool) => new RateLimiter($pool, 'login', 5, 90.5, whenDown: false), $calls);
foreach (Limiting::cases() as $how) {
    foreach ([true, false] as $whenDown) {
        $limiter = new RateLimiter(new Pool('unix:///nowhere/memcached.sock'), 'login', 5, 60, $how, whenDown: $whenDown,
            burst: $how === Limiting::TokenBucket ? 3 : null);
        echo $how->name, ': ', json_encode([$limiter->attempt(), $limiter->remaining(), $limiter->availableIn()]), "\n";
    }
}

$server = start_memcached();
$limiter = new RateLimiter(new Pool($server->address), 'login', 5, 60, Limiting::TokenBucket, whenDown: true);
$server->raw("set rate:login:ada:b60000 0 0 5\r\nhello");
foreach ([fn () => $limiter->attempt('ada'), fn () => $limiter->attempt('ada', 6)] as $call) {
    try {
        echo json_encode($call()), " was answered\n";
    } catch (StoredValueException | ValueError $error) {
        echo $error::class, "\n";
    }
}
?>
--EXPECT--
dead, Libmemcached: attempt true, remaining 5, availableIn 0, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
frozen, Libmemcached: attempt true, remaining 5, availableIn 0, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
dead, Direct: attempt true, remaining 5, availableIn 0, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
frozen, Direct: attempt true, remaining 5, availableIn 0, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
dead, Libmemcached: attempt false, remaining 0, availableIn 90.5, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
frozen, Libmemcached: attempt false, remaining 0, availableIn 90.5, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
dead, Direct: attempt false, remaining 0, availableIn 90.5, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
frozen, Direct: attempt false, remaining 0, availableIn 90.5, reset ServerException, counted 3
whenDown replaced the result of "login": its server is down, key login
FixedWindow: [true,5,0]
FixedWindow: [false,0,60]
SlidingWindow: [true,5,0]
SlidingWindow: [false,0,60]
TokenBucket: [true,3,0]
TokenBucket: [false,0,60]
McPatterns\StoredValueException
ValueError

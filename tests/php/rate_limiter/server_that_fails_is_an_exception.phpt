--TEST--
RateLimiter throws ServerException within timeouts for a failed server (R5)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Limiting, Pool, RateLimiter, ServerException, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call): void
{
    $start = hrtime(true);
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (ServerException | StoredValueException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        echo "$name: ", hide_servers($error->getMessage()), $took < 5 ? '' : " after $took s", "\n";
    }
}

$calls = [
    'attempt' => fn ($limiter) => $limiter->attempt('anna'),
    'remaining' => fn ($limiter) => $limiter->remaining('anna'),
    'availableIn' => fn ($limiter) => $limiter->availableIn('anna'),
    'reset' => fn ($limiter) => $limiter->reset('anna'),
];
foreach ($calls as $name => $call) {
    attempt($name, fn () => $call(new RateLimiter(new Pool('unix:///nowhere/memcached.sock'), 'login', 5, 60)));
}
$server = start_memcached();
$pool = new Pool($server->address, timeout: 0.2, retryAfter: 0);
$limiters = array_map(fn ($how) => new RateLimiter($pool, 'login', 5, 60, $how), Limiting::cases());
$attempt = fn ($limiter) => attempt('attempt', fn () => $limiter->attempt('anna'));
array_map($attempt, $limiters);
foreach ($limiters as $limiter) {
    $server->while_frozen(fn () => $limiter->remaining('anna'), fn () => $attempt($limiter));
}
array_map($attempt, $limiters);
$server->kill();
array_map($attempt, $limiters);
$server->start();
$server->raw("set rate:login:anna:b60000 0 0 5\r\nhello");
$attempt($limiters[2]);
attempt('remaining', fn () => $limiters[2]->remaining('anna'));
$limiters[2]->reset('anna');
$attempt($limiters[2]);
?>
--EXPECT--
attempt: Cannot check the rate limiter "login" on server: the server could not be reached: no such file
remaining: Cannot read the rate limiter "login" on server: circuit breaker is open: the server could not be reached: no such file
availableIn: Cannot read the rate limiter "login" on server: circuit breaker is open: the server could not be reached: no such file
reset: Cannot reset the rate limiter "login" on server: circuit breaker is open: the server could not be reached: no such file
attempt: true
attempt: true
attempt: true
attempt: Cannot check the rate limiter "login" on server: outcome unknown: the server did not reply within 200 ms
attempt: Cannot check the rate limiter "login" on server: the server did not reply within 200 ms
attempt: Cannot check the rate limiter "login" on server: the server did not reply within 200 ms
attempt: true
attempt: true
attempt: true
attempt: Cannot check the rate limiter "login" on server: the server could not be reached: connection refused, nothing listens there
attempt: Cannot check the rate limiter "login" on server: the server could not be reached: connection refused, nothing listens there
attempt: Cannot check the rate limiter "login" on server: the server could not be reached: connection refused, nothing listens there
attempt: Cannot check the rate limiter "login" on server: the stored value is not a number; does another class or client use the key?
remaining: Cannot read the rate limiter "login" on server: the stored value is not a number; does another class or client use the key?
attempt: true

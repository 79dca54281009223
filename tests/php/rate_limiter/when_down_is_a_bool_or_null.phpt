--TEST--
RateLimiter's $whenDown rejects strings with a TypeError
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, RateLimiter};

$pool = new Pool('memory://gate');
foreach (['false', '', 0, 1, 0.5, []] as $other) {
    try {
        new RateLimiter($pool, 'login', 5, 60, whenDown: $other);
        echo "accepted\n";
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach ([true, false, null] as $answer) {
    var_dump((new RateLimiter($pool, 'login', 5, 60, whenDown: $answer))->attempt());
}
?>
--EXPECT--
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, string given; true admits all requests, false rejects all
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, string given; true admits all requests, false rejects all
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, int given; true admits all requests, false rejects all
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, int given; true admits all requests, false rejects all
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, float given; true admits all requests, false rejects all
McPatterns\RateLimiter::__construct(): Argument #8 ($whenDown) must be of type bool, array given; true admits all requests, false rejects all
bool(true)
bool(true)
bool(true)

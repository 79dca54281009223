--TEST--
Clock::freeze() and advance() reject times outside 1970 to 9999
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Clock;

foreach ([NAN, INF, -INF, -1.0, 1e12] as $time) {
    try {
        Clock::freeze($time);
        echo "accepted $time\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach ([NAN, INF, -0.001, 1e12] as $seconds) {
    try {
        Clock::advance($seconds);
        echo "accepted $seconds\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
Clock::freeze(0);
Clock::freeze();
Clock::advance(0);
Clock::unfreeze();
Clock::unfreeze();
try {
    new Clock();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
McPatterns\Clock::freeze(): Argument #1 ($at) must be a Unix time before the year 10000
McPatterns\Clock::freeze(): Argument #1 ($at) must be a Unix time before the year 10000
McPatterns\Clock::freeze(): Argument #1 ($at) must be a Unix time before the year 10000
McPatterns\Clock::freeze(): Argument #1 ($at) must be a Unix time before the year 10000
McPatterns\Clock::freeze(): Argument #1 ($at) must be a Unix time before the year 10000
McPatterns\Clock::advance(): Argument #1 ($seconds) must be a finite number of seconds greater than or equal to 0
McPatterns\Clock::advance(): Argument #1 ($seconds) must be a finite number of seconds greater than or equal to 0
McPatterns\Clock::advance(): Argument #1 ($seconds) must be a finite number of seconds greater than or equal to 0
McPatterns\Clock::advance(): Argument #1 ($seconds) must not advance the clock beyond the year 9999
Call to private McPatterns\Clock::__construct() from global scope

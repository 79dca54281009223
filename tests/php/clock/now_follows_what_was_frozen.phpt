--TEST--
Clock::now() returns the frozen, advanced or system time that TTLs use
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

function is_the_systems(float $time, float $later): bool
{
    return abs($time - $later - microtime(true)) < 30;
}

var_dump(is_the_systems(Clock::now(), 0));
Clock::advance(1000);
var_dump(is_the_systems(Clock::now(), 1000));
Clock::freeze();
$frozen = Clock::now();
usleep(2000);
var_dump(Clock::now() === $frozen);
Clock::freeze(1234.567);
var_dump(Clock::now());
Clock::advance(0.25);
var_dump(Clock::now());

$cache = new Cache(new Pool('memory://now'), ttl: 10);
$cache->set('k', 1);
Clock::freeze(Clock::now() + 9.999);
echo $cache->entry('k')->status->name, "\n";
Clock::freeze(Clock::now() + 0.001);
echo $cache->entry('k')->status->name, "\n";

Clock::freeze(0);
var_dump(Clock::now());
Clock::unfreeze();
var_dump(is_the_systems(Clock::now(), 0));
try {
    Clock::now(1);
} catch (ArgumentCountError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
float(1234.567)
float(1234.817)
Fresh
Stale
float(0)
bool(true)
McPatterns\Clock::now() expects exactly 0 arguments, 1 given

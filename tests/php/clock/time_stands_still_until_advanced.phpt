--TEST--
A memory server's time stops with the frozen clock, PHP's time continues
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool};

$pool = new Pool('memory://m');
$now = fn () => $pool->stats()['memory://m']['time'];

Clock::freeze(1000000000);
var_dump($now());
Clock::advance(0.5);
var_dump($now());
Clock::advance(0.5);
var_dump($now());
Clock::advance(86400);
var_dump($now());
Clock::freeze(1500000000.9);
var_dump($now());

Clock::unfreeze();
var_dump(abs($now() - time()) <= 1);
Clock::advance(1000);
var_dump(abs($now() - time() - 1000) <= 1);
Clock::freeze();
var_dump(abs($now() - time() - 1000) <= 1);
Clock::unfreeze();
var_dump(abs($now() - time()) <= 1);
?>
--EXPECT--
int(1000000000)
int(1000000000)
int(1000000001)
int(1000086401)
int(1500000000)
bool(true)
bool(true)
bool(true)
bool(true)

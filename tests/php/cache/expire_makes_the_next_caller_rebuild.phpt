--TEST--
expire() elects the next caller and serves others the stale value
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://expire'), ttl: 100, grace: 50, lease: 10);
$other = new Cache(new Pool('memory://expire'), ttl: 100, grace: 50, lease: 10);
$cache->set('k', 'old');
Clock::advance(30);
var_dump($cache->expire('k'), $other->get('k', 'elected'), $cache->get('k'), $cache->peek('k'), $cache->expire('absent'));
echo "during a rebuild\n";
var_dump($cache->expire('k'), $other->publish('k', 'late'), $cache->lookup('k')->status->name);
Clock::advance(49.999);
var_dump($cache->peek('k'));
Clock::advance(0.001);
var_dump($cache->peek('k'));
echo "a value without an end, and a strict one\n";
$cache->set('forever', 1, 0);
var_dump($cache->expire('forever'), $cache->get('forever', 'elected'), $other->get('forever'));
$cache->set('strict', 1, 100, 0);
var_dump($cache->expire('strict'), $cache->peek('strict'), $cache->has('strict'));
echo "a running number goes on\n";
$cache->set('n', 10);
$cache->increment('n');
var_dump($cache->expire('n'), $cache->peek('n'), $cache->increment('n'));
?>
--EXPECT--
bool(true)
string(7) "elected"
string(3) "old"
string(3) "old"
bool(false)
during a rebuild
bool(true)
bool(false)
string(7) "Elected"
string(3) "old"
NULL
a value without an end, and a strict one
bool(true)
string(7) "elected"
int(1)
bool(true)
NULL
bool(false)
a running number goes on
bool(true)
int(11)
int(12)

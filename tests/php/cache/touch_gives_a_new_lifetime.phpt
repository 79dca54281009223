--TEST--
Cache::touch() sets a new TTL, also of running numbers, keeping elections open
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://touch'), ttl: 10, lease: 5);
$other = new Cache(new Pool('memory://touch'), ttl: 10, lease: 5);
$cache->set('k', 'value');
Clock::advance(9);
var_dump($cache->touch('k'), $cache->entry('k')->expiresIn, $cache->touch('k', 100), $cache->entry('k')->expiresIn, $cache->touch('absent'));
echo "shorter\n";
var_dump($cache->touch('k', 1), $cache->entry('k')->expiresIn);
echo "a running number lives as long\n";
$cache->set('n', 5, 10);
$cache->increment('n');
var_dump($cache->touch('n', 1000));
Clock::advance(999);
var_dump($cache->get('n'), $cache->increment('n'));
Clock::advance(1);
var_dump($cache->peek('n'));
echo "to forever and back\n";
var_dump($cache->touch('n', 0));
Clock::advance(50 * 86400);
var_dump($cache->get('n'), $cache->touch('n', 10), $cache->entry('n')->expiresIn, $cache->increment('n'));
echo "while somebody rebuilds it\n";
$cache->set('r', 'old');
Clock::advance(10);
$other->get('r');
var_dump($cache->touch('r'), $cache->get('r'), $other->publish('r', 'new'), $cache->get('r'));
?>
--EXPECT--
bool(true)
float(10)
bool(true)
float(100)
bool(false)
shorter
bool(true)
float(1)
a running number lives as long
bool(true)
int(6)
int(7)
int(7)
to forever and back
bool(true)
int(7)
bool(true)
float(10)
int(8)
while somebody rebuilds it
bool(true)
string(3) "old"
bool(true)
string(3) "new"

--TEST--
Cache::pull() returns and deletes a fresh or stale value or number
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://pull'), ttl: 10);
$other = new Cache(new Pool('memory://pull'), ttl: 10);
$cache->set('k', 'value');
var_dump($cache->pull('k'), $cache->pull('k'), $cache->pull('k', 'default'), $other->has('k'));
$cache->set('k', null);
var_dump($cache->pull('k', 'default'), $cache->pull('k', 'default'));
$cache->set('k', 'old');
Clock::advance(10);
$other->get('k');
var_dump($cache->pull('k'), $other->publish('k', 'late'), $cache->has('k'));
$cache->set('n', 5);
$cache->increment('n');
var_dump($cache->pull('n'), $cache->increment('n'), $cache->set('n', 1), $cache->increment('n'));
?>
--EXPECT--
string(5) "value"
NULL
string(7) "default"
bool(false)
NULL
string(7) "default"
string(3) "old"
bool(false)
bool(false)
int(6)
bool(false)
bool(true)
int(2)

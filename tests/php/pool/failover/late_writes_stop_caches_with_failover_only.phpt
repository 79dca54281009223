--TEST--
A late write stops only Caches with failover from using its server
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/relay.inc';

$server = start_memcached();
$proxy = new Relay($server->address);
$options = ['timeout' => 0.3, 'retryAfter' => 5, 'transport' => Transport::Direct];
$list = [$proxy->address, start_memcached()->address];
$pool = new Pool($list, ...$options, failover: true);
$plain = new Pool($list, ...$options);
$here = fn (string $what) => array_values(array_filter(array_map(fn ($i) => "$what $i", range(1, 50)), fn ($name) => $pool->serverFor($name) === name_of($proxy->address)))[0];
$key = $here('key');
$moving = new Cache($pool, ttl: 3600);
$staying = new Cache($plain, ttl: 3600);
$copies = new Cache($pool, 'copies:', ttl: 3600, copies: 2);
$counter = new Counter($pool, $here('counter'));

$moving->set($key, 'first');
$copies->set($key, 'first');
$counter->increment();
$proxy->hold();
var_dump($moving->set($key, 'late'), $moving->set($key, 'newer'));
Clock::advance(6);
var_dump($counter->increment(), (new Lock($pool, $here('lock')))->acquire());
var_dump($staying->set('plain', 1), $staying->get('plain'));
var_dump($copies->set($key, 'second'), $copies->get($key));
var_dump($moving->get($key));

echo "for two minutes:\n";
Clock::advance(113);
var_dump($moving->set($key, 'elsewhere'), $moving->get($key));
Clock::advance(2);
var_dump($moving->get($key), $moving->set($key, 'at home'), $moving->get($key));
?>
--EXPECT--
bool(false)
bool(true)
int(2)
bool(true)
bool(true)
int(1)
bool(true)
string(6) "second"
string(5) "newer"
for two minutes:
bool(true)
string(9) "elsewhere"
NULL
bool(true)
string(7) "at home"

--TEST--
Each class behaves the same over Direct and libmemcached
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, OnlineCounter, Pool, Transport};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$direct = new Pool($server->address, 'p:', transport: Transport::Direct);
$other = new Pool($server->address, 'p:', transport: Transport::Libmemcached);

$mine = new Cache($direct, ttl: 60);
$theirs = new Cache($other, ttl: 60);
$values = [];
for ($i = 0; $i < 300; $i++) {
    $values["key$i"] = [$i, str_repeat("value $i\r\nEND\r\n", $i)];
}
var_dump($mine->setMultiple($values), $theirs->getMultiple(array_keys($values)) === $values);
var_dump($theirs->setMultiple($values), $mine->getMultiple(array_keys($values)) === $values);
var_dump($mine->remember('computed', 60, fn () => 'once'), $theirs->get('computed'));
var_dump($mine->increment('number', initial: 5), $theirs->increment('number'), $mine->delete('number'), $theirs->has('number'));
$large = random_bytes(900000);
var_dump($mine->set('large', $large), $mine->get('large') === $large, $theirs->get('large') === $large);

$lock = new Lock($direct, 'job');
var_dump($lock->acquire(), (new Lock($other, 'job'))->acquire(), $lock->token() > 0, $lock->refresh(30), $lock->release());

$counter = new Counter($direct, 'views');
var_dump($counter->increment(), $counter->increment(7), (new Counter($other, 'views'))->value(), $counter->drain());

$online = new OnlineCounter($direct, 'site', window: 60);
var_dump($online->hit('ann'), $online->hit('ann'));

var_dump(is_float($direct->ping()[$server->name]), $direct->stats()[$server->name]['pid'] > 0);
var_dump($direct->flush(), $theirs->get('computed'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
string(4) "once"
string(4) "once"
int(6)
int(7)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
int(1)
int(8)
int(8)
int(8)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
NULL

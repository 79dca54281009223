--TEST--
Each class works on ElastiCache Serverless over TLS within its limits
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl') || !in_array('tls', stream_get_transports())) {
    die('skip needs pcntl and openssl');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, EventLog, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, SessionHandler, Table, Transport, UniqueVisitors};

require __DIR__ . '/../../../_support/serverless.inc';

$certificates = new TestCertificates();
$server = start_serverless($certificates);
$pool = new Pool($server->address, connectTimeout: 10, timeout: 10, transport: Transport::Direct, tls: ['cafile' => $certificates->authority]);
$cache = new Cache($pool);

echo "values\n";
foreach ([0, 1, 8000, 8193, 70000, 1000000] as $size) {
    $value = str_repeat('v', $size);
    $cache->set("of $size", $value) && $cache->get("of $size") === $value || print "$size is lost\n";
}
try {
    $cache->set('of 1', random_bytes(2000000));
} catch (McPatterns\TooLargeException) {
    echo "too large, and what was there stays: ", $cache->get('of 1'), "\n";
}
var_dump($cache->remember('computed', 60, fn (): string => 'once'), $cache->remember('computed', 60, fn (): string => 'twice'));
var_dump($cache->add('added', 1), $cache->add('added', 2), $cache->update('added', fn (int $old): int => $old + 1), $cache->increment('number', 3, 10), $cache->pull('added'), $cache->delete('number'));

echo "many\n";
$keys = array_map(fn (int $i): string => str_repeat('k', 200) . $i, range(1, 1000));
$values = array_combine($keys, range(1, 1000));
var_dump($cache->setMultiple($values), $cache->getMultiple($keys) === $values, $cache->rememberMany($keys, 60, fn (array $missing): array => []) === $values, $cache->deleteMultiple($keys));
var_dump($server->longest_get() < SERVERLESS_GET_MAX, $server->longest_get());

echo "the others\n";
Clock::freeze(); // the first token of all waits, and a wait moves it on
$lock = new Lock($pool, 'lock');
var_dump($lock->acquire(), (new Lock($pool, 'lock'))->acquire(), $lock->refresh(), $lock->isHeld(verify: true), ($token = $lock->token()) > 0, $lock->release());
var_dump($lock->acquire(), $lock->token() > $token, $lock->release());
echo "its start is one of many machines': tokens are counted\n";
var_dump($server->memcached->raw('get lock:~#fence') !== "END\r\n");
Clock::unfreeze();
$semaphore = new Semaphore($pool, 'semaphore', 2);
var_dump($semaphore->acquire(), $semaphore->release());
$counter = new Counter($pool, 'counter');
var_dump($counter->increment(5), $counter->decrement(2), $counter->drain());
$online = new OnlineCounter($pool, 'online');
$online->increment();
var_dump(array_sum($online->perSlot()));
$visitors = new UniqueVisitors($pool, 'visitors');
$visitors->hit('a');
var_dump($visitors->count());
$limiter = new RateLimiter($pool, 'limiter', 2, 60);
var_dump($limiter->attempt('who'), $limiter->attempt('who'), $limiter->attempt('who'));
$members = new MemberSet($pool, 'members');
$members->add('a');
var_dump($members->has('a'), $members->has('b'));
$log = new EventLog($pool, 'log');
var_dump($log->append('event'), count($log->last()));
$table = new Table($pool, 'table');
$table->put('row', ['a' => 1]);
var_dump($table->get('row'));
$handler = new SessionHandler($pool);
var_dump($handler->open('', ''), $handler->read('abc'), $handler->write('abc', 'seen|i:1;'), $handler->close(), $handler->read('abc'), $handler->destroy('abc'));

echo "the pool\n";
var_dump(is_float($pool->ping()[$server->name]), isset($pool->stats()[$server->name]['time']), $pool->flush(), array_filter($pool->lastErrors()));
print_r($server->refused());
?>
--EXPECT--
values
too large, and what was there stays: v
string(4) "once"
string(4) "once"
bool(true)
bool(false)
int(2)
int(13)
int(2)
bool(true)
many
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(7984)
the others
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
its start is one of many machines': tokens are counted
bool(true)
bool(true)
bool(true)
int(5)
int(3)
int(3)
int(1)
int(1)
bool(true)
bool(true)
bool(false)
bool(true)
bool(false)
NULL
int(1)
array(1) {
  ["a"]=>
  int(1)
}
bool(true)
string(0) ""
bool(true)
bool(true)
string(9) "seen|i:1;"
bool(true)
the pool
bool(true)
bool(true)
bool(true)
array(0) {
}
Array
(
    [0] => stats settings
)

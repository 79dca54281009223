--TEST--
Each class works over tls:// with client certificates and passwords
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, EventLog, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Table, Transport, UniqueVisitors};

require __DIR__ . '/../../../_support/memcached.inc';
require_once __DIR__ . '/../../../_support/certificates.inc';

$certificates = new TestCertificates();
$options = ['tls' => $certificates, 'client_certificates' => true, 'password' => 'alice:s3cret'];
$servers = [start_memcached($options), start_memcached($options)];
$pool = new Pool(
    array_map(fn ($server) => $server->address, $servers), connectTimeout: 5, timeout: 5, transport: Transport::Direct,
    tls: $certificates->client_options(), user: 'alice', password: 's3cret',
);
$cache = new Cache($pool);
$values = [];
foreach ([0, 1, 100, 16000, 16384, 16385, 70000, 1000000] as $size) {
    $values["of $size"] = $size === 0 ? '' : substr(str_repeat(md5((string) $size, true), intdiv($size, 16) + 1), 0, $size);
}
foreach ($values as $key => $value) {
    $cache->set($key, $value) || die("$key was not stored");
    $cache->get($key) === $value || die("$key is another");
}
var_dump($cache->getMultiple(array_keys($values)) === $values);
$many = array_combine(array_map(fn ($i) => "key$i", range(1, 300)), array_map(fn ($i) => str_repeat("$i,", 300), range(1, 300)));
var_dump($cache->setMultiple($many), $cache->getMultiple(array_keys($many)) === $many);
var_dump($cache->remember('computed', 60, fn () => 'once'), $cache->remember('computed', 60, fn () => 'twice'));
$lock = new Lock($pool, 'lock');
var_dump($lock->acquire(), (new Lock($pool, 'lock'))->acquire(), $lock->release());
$counter = new Counter($pool, 'counter');
var_dump($counter->increment(), $counter->increment(2));
$online = new OnlineCounter($pool, 'online');
$online->increment();
var_dump(array_sum($online->perSlot()), array_unique(array_map(is_float(...), $pool->ping())) !== [false]);
var_dump(count(array_filter($pool->stats())), $pool->lastErrors() === array_fill_keys(array_keys($pool->lastErrors()), null));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
string(4) "once"
string(4) "once"
bool(true)
bool(false)
bool(true)
int(1)
int(3)
int(1)
bool(true)
int(2)
bool(true)

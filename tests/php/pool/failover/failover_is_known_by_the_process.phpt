--TEST--
Failover state belongs to the process, and forked children start without
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$servers = [start_memcached(), start_memcached()];
$list = array_column($servers, 'address');
$make = fn (string $prefix = '', bool $persistent = true) => new Pool($list, $prefix, timeout: 0.4, retryAfter: 10, failover: true, persistent: $persistent);
$pool = $make();
$key = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 50)), fn ($key) => $pool->serverFor($key) === name_of($list[0])))[0];
$cache = new Cache($pool, ttl: 3600, grace: 3600);
$cache->set($key, 'old');
$servers[0]->freeze();
$cache->get($key);
$servers[0]->thaw();
Clock::advance(11);
$is_fresh = fn (Pool $pool) => (new Cache($pool))->entry($key)->status === Status::Fresh;

var_dump($is_fresh($pool), $is_fresh($make()));
$listening = $make();
$listening->onError(fn () => null);
var_dump($is_fresh($listening));
// Connections of its own change nothing. Another process saw nothing.
var_dump($is_fresh($make(persistent: false)));
var_dump(run_workers(1, fn () => $is_fresh($pool))[0]);
// The mark counts on another connection, too, while the server is the same one.
$cache->set($key, 'new');
var_dump($is_fresh($pool));
$pool->close();
var_dump($is_fresh($pool));
// Another prefix has other keys, on the same servers.
$other = new Cache($make('p:'), ttl: 3600);
$other->set($key, 'theirs');
var_dump($other->peek($key), $cache->peek($key));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
string(6) "theirs"
string(3) "new"

--TEST--
Pools with and without signingKey never invalidate each other's tags
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$make = fn (?string $key): Cache => new Cache(new Pool($server->address, timeout: 10, signingKey: $key), 's.', ttl: 100, grace: 100);
[$signed, $unsigned] = [$make('key'), $make(null)];
$clearable = new Cache(new Pool($server->address, timeout: 10), 's.', clearable: true);
$status = fn (Cache ...$caches): string => implode(' ', array_map(fn (Cache $cache) => $cache->entry('k')->status->name, $caches));

$signed->tagged('t')->set('k', 'signed');
echo 'signed, without the key: ', $status($unsigned, $unsigned->tagged('t'), $clearable), "\n";
$unsigned->deleteTags('t');
echo 'after a deleteTags() without the key: ', $status($signed->tagged('t'), $unsigned, $unsigned->tagged('t')), "\n";
$signed->invalidateTags('t');
echo 'after an invalidateTags() with the key: ', $status($signed->tagged('t'), $unsigned), "\n";

$unsigned->tagged('t')->set('k', 'unsigned');
$unsigned->tagged('t')->set('k', 'unsigned'); // as of the call, whatever was looked at before
echo 'unsigned, with the key: ', $status($unsigned->tagged('t'), $signed, $signed->tagged('t')), "\n";
$signed->deleteTags('t');
echo 'after a deleteTags() with the key: ', $status($unsigned->tagged('t')), "\n";
?>
--EXPECT--
signed, without the key: Fresh Stale Miss
after a deleteTags() without the key: Fresh Fresh Stale
after an invalidateTags() with the key: Stale Stale
unsigned, with the key: Fresh Miss Miss
after a deleteTags() with the key: Fresh

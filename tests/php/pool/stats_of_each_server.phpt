--TEST--
Pool::stats() returns statistics by server, null if it is down
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$down = start_memcached();
$down->kill();
$pool = new Pool([$server->address, $down->address, 'memory://m']);
$stats = $pool->stats();

var_dump(array_keys($stats) === [$server->name, $down->name, 'memory://m']);
var_dump($stats[$server->name]['pid'] === $server->pid);
var_dump($stats[$server->name]['version'] === $server->stats()['version']);
var_dump($stats[$down->name]);
var_dump($stats['memory://m']['curr_items']);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
NULL
int(0)

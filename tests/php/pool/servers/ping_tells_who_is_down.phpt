--TEST--
Pool::ping() returns round trips in seconds, null for unreachable servers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../../_support/memcached.inc';

$up = start_memcached();
$down = start_memcached();
$down->kill();
$frozen = start_memcached();
$frozen->freeze();
$pool = new Pool([$up->address, $down->address, $frozen->address, 'memory://m'], timeout: 0.05);

$begin = microtime(true);
$answers = $pool->ping();
$taken = microtime(true) - $begin;

var_dump(array_keys($answers) === [$up->name, $down->name, $frozen->name, 'memory://m']);
var_dump(is_float($answers[$up->name]) && $answers[$up->name] > 0 && $answers[$up->name] < 5);
var_dump($answers[$down->name], $answers[$frozen->name]);
var_dump(is_float($answers['memory://m']));
var_dump($taken < 5);

$frozen->thaw();
$down->start();
$pool->close();
var_dump(in_array(null, $pool->ping(), true));
?>
--EXPECT--
bool(true)
bool(true)
NULL
NULL
bool(true)
bool(true)
bool(false)

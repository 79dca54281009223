--TEST--
Pool::servers() returns host, port and weight of each server form, in order
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

function show(Pool $pool): void
{
    foreach ($pool->servers() as ['host' => $host, 'port' => $port, 'weight' => $weight]) {
        echo var_export($host, true), ' ', var_export($port, true), ' ', var_export($weight, true), "\n";
    }
    echo "\n";
}

show(new Pool());
show(new Pool('cache'));
show(new Pool('cache-1.example:11212:3'));
show(new Pool('[::1]'));
show(new Pool(['[fe80::1%eth0]:11212:2', '10.0.0.1:1', 'unix:///tmp/a,b.sock', 'unix:///tmp/c.sock:4']));
show(new Pool(' a:1 , b:2:7,memory://x_1, memory://y.z:5'));
show(new Pool('tcp://a'));
show(new Pool('tcp://a:1:4,memcached://b,tcp://[::1]:11212:2,memcached://[fe80::1%eth0]'));
$list = ['later' => 'b', 'sooner' => 'a'];
$reference = &$list['later'];
show(new Pool($list));
?>
--EXPECT--
'127.0.0.1' 11211 1

'cache' 11211 1

'cache-1.example' 11212 3

'::1' 11211 1

'fe80::1%eth0' 11212 2
'10.0.0.1' 1 1
'unix:///tmp/a,b.sock' 0 1
'unix:///tmp/c.sock' 0 4

'a' 1 1
'b' 2 7
'memory://x_1' 0 1
'memory://y.z' 0 5

'a' 11211 1

'a' 1 4
'b' 11211 1
'::1' 11212 2
'fe80::1%eth0' 11211 1

'b' 11211 1
'a' 11211 1

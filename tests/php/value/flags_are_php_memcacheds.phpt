--TEST--
Scalars have php-memcached's flags plus the envelope's mark, and their text
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Serializer};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, serializer: Serializer::Php));
foreach (['text', -5, 0.1, 1.0, 1e100, INF, -INF, NAN, true, false, null, [1]] as $value) {
    $cache->set('k', $value);
    preg_match('/^VALUE k (\d+) (\d+)\r\n(.*)\r\nEND\r\n$/s', $server->raw('get k'), $found);
    printf("%05x %04x %s\n", $found[1] & 0x1FFFF, $found[1] >> 17, substr($found[3], 48));
}
?>
--EXPECT--
10000 0000 text
10000 0001 -5
10000 0002 0.1
10000 0002 1
10000 0002 1.0E+100
10000 0002 Infinity
10000 0002 -Infinity
10000 0002 NaN
10000 0003 1
10000 0003 
10000 0004 N;
10000 0004 a:1:{i:0;i:1;}

--TEST--
Scalars carry php-memcached's flags below the envelope's mark, and their text
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
foreach (['text', -5, 0.1, 1.0, 1e100, INF, -INF, NAN, true, false, null, [1]] as $value) {
    $cache->set('k', $value);
    preg_match('/^VALUE k (\d+) (\d+)\r\n(.*)\r\nEND\r\n$/s', $server->raw('get k'), $found);
    printf("%04x %04x %s\n", $found[1] >> 16, $found[1] & 0xFFFF, substr($found[3], 48));
}
?>
--EXPECT--
0001 0000 text
0001 0001 -5
0001 0002 0.1
0001 0002 1
0001 0002 1.0E+100
0001 0002 Infinity
0001 0002 -Infinity
0001 0002 NaN
0001 0003 1
0001 0003 
0001 0004 N;
0001 0004 a:1:{i:0;i:1;}

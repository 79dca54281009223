--TEST--
php-memcached and pecl-memcache can read and increment a Counter's key (K5)
--EXTENSIONS--
igbinary
msgpack
memcached
memcache
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached', 'memcache');
?>
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../_support/memcached.inc';

// pecl-memcache creates properties.
error_reporting(E_ALL & ~E_DEPRECATED);
$server = start_memcached();
$memcached = new Memcached();
$memcached->addServer($server->host, $server->port);
$memcache = new Memcache();
$memcache->addServer("unix://$server->host", 0);
$counter = new Counter(new Pool($server->address, prefix: 'site:'), 'views', initial: 98);

echo $counter->increment(), ' ', $memcached->get('site:views'), ' ', $memcache->get('site:views'), "\n";
echo $memcached->increment('site:views'), ' ', $memcache->increment('site:views'), ' ', $counter->increment(), "\n";
// Shorter now, and padded by memcached.
echo $counter->decrement(97), ' ', (int) $memcached->get('site:views'), ' ', (int) $memcache->get('site:views'), "\n";
echo $memcached->increment('site:views'), ' ', $memcache->increment('site:views'), ' ', $counter->value(), "\n";

$memcached->set('site:views', 40);
echo $counter->increment(), "\n";
$memcache->set('site:views', 50);
echo $counter->increment(), ' ', $counter->value(), ' ', $counter->drain(), ' ', (int) $memcached->get('site:views'), "\n";
?>
--EXPECT--
99 99 99
100 101 102
5 5 5
6 7 7
41
51 51 51 0

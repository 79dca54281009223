--TEST--
php-memcached reads each value and running number as a string
--EXTENSIONS--
igbinary
msgpack
memcached
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached');
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
$memcached = new Memcached();
$memcached->addServer($server->host, $server->port);
foreach (['text', 7, 0.5, true, null, [1, ['two' => 3]], new ArrayObject([1])] as $value) {
    for ($round = 0; $round < 20; $round++) {
        $cache->set("k$round", $value);
        is_string($memcached->get("k$round")) or print('not a string: ' . serialize($value) . "\n");
    }
}
for ($round = 0; $round < 20; $round++) {
    $cache->set("n$round", 41);
    $cache->increment("n$round");
    echo $memcached->get("n{$round}_increment") === '42' ? '' : "not the number\n";
}
echo "done\n";
?>
--EXPECT--
done

--TEST--
Audit treats equal values from different serializers as equal
--EXTENSIONS--
mcpatterns
igbinary
--FILE--
<?php
use McPatterns\{Audit, Cache, Pool, Serializer};

require __DIR__ . '/../../_support/audit.inc';

$address = start_memcached()->address;
$value = ['id' => 5, 'names' => ['a', 'b']];
(new Cache(new Pool($address, timeout: 10, serializer: Serializer::Igbinary)))->remember('k', 100, fn () => $value);
$cache = new Cache(new Pool($address, timeout: 10, serializer: Serializer::Php));
$audit = new Audit($cache, rate: 1);
echo audited_by($cache, fn () => $cache->remember('k', 100, fn () => $value)), "\n";
echo audited_by($cache, fn () => $cache->remember('k', 100, fn () => ['id' => 6] + $value)), "\n";
?>
--EXPECT--
checked 1
checked 1, different 1, still_stored 1

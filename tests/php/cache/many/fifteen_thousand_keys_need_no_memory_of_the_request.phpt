--TEST--
getMultiple() of 15,000 keys fits a memory_limit of 16 MB
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=16M
--FILE--
<?php
use McPatterns\{Cache, Pool};

$cache = new Cache(new Pool('memory://test'), ttl: 100);
$names = array_map(fn (int $i): string => "name $i", range(1, 15_000));
$cache->set('name 15000', 'last');
$found = $cache->getMultiple($names);
echo count($found), ' ', $found['name 15000'], "\n";
echo memory_get_peak_usage() < 8 << 20 ? 'within' : 'above', " 8 MB\n";
?>
--EXPECT--
15000 last
within 8 MB

--TEST--
All memory:// servers share 1 limit with LRU eviction
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.memory_limit=4M
--FILE--
<?php
use McPatterns\{Cache, Pool};

$value = str_repeat('v', 500_000);
$caches = [];
for ($i = 0; $i < 20; $i++) {
    $caches[$i] = new Cache(new Pool("memory://m$i", compression: McPatterns\Compression::None), ttl: 100);
    $caches[$i]->set('key', $value);
    $caches[0]->get('key');
}
$held = 0;
foreach ($caches as $i => $cache) {
    $stats = (new Pool("memory://m$i"))->stats()["memory://m$i"];
    $held += $stats['bytes'];
}
var_dump($held <= 4 << 20, $held > 3 << 20, $stats['limit_maxbytes'] === 4 << 20);
echo 'there: ', implode(' ', array_keys(array_filter($caches, fn ($cache) => $cache->has('key')))), "\n";
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
there: 0 13 14 15 16 17 18 19

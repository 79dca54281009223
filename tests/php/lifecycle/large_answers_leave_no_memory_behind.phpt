--TEST--
A process frees large reply buffers after 3 small replies
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=512M
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

function resident_bytes(): int
{
    gc_mem_caches();
    preg_match('/^RssAnon:\s+(\d+) kB$/m', file_get_contents('/proc/self/status'), $found);
    return $found[1] * 1024;
}

$server = start_memcached(['memory' => 256, 'arguments' => ['-I', '32m']]);
$cache = new Cache(new Pool($server->address, timeout: 20), ttl: 1000);
$keys = array_map(fn ($i) => "k$i", range(1, 80));
foreach ($keys as $key) {
    $cache->set($key, str_repeat('v', 1_000_000));
}
$cache->set('largest', str_repeat('v', 30_000_000));
$cache->set('small', 1);
$cache->get('small');
$before = resident_bytes();
var_dump(count($cache->getMultiple($keys)), strlen($cache->get('largest')));
for ($i = 0; $i < 3; $i++) {
    $cache->get('small');
}
$kept = resident_bytes() - $before;
var_dump($kept < 8_000_000 ? 'little' : $kept);
?>
--EXPECT--
int(80)
int(30000000)
string(6) "little"

--TEST--
A value is stored or rejected by its compressed size
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/compressions.inc';

mt_srand(1);
$noise = implode('', array_map(fn () => chr(mt_rand(0, 255)), range(1, 1_100_000)));
foreach (['memory://m', start_memcached()->address] as $address) {
    foreach (compressions() as $compression) {
        $cache = new Cache(new Pool($address, compression: $compression));
        echo $compression->name;
        foreach ([str_repeat('page ', 1_000_000), $noise, str_repeat('x', 20_000_000)] as $value) {
            try {
                $cache->set('k', $value);
                echo ' ', $cache->get('k') === $value ? 'stored' : 'lost';
            } catch (StoredValueException $exception) {
                echo ' refused';
            }
        }
        echo "\n";
    }
}
?>
--EXPECT--
None refused refused refused
Zlib stored refused refused
Zstd stored refused refused
None refused refused refused
Zlib stored refused refused
Zstd stored refused refused

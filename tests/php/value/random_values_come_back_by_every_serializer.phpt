--TEST--
Random values survive each serializer as they survive PHP's serialize()
--EXTENSIONS--
igbinary
msgpack
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack');
?>
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Serializer};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/random_values.inc';
require __DIR__ . '/../../_support/compressions.inc';

$reaches = ['Json' => new Reach(objects: false, infinite: false, binary: false)];
$address = start_memcached()->address;
$read = 0;
foreach (Serializer::cases() as $serializer) {
    foreach (compressions() as $number => $compression) {
        $server = $number === 0 ? 'memory://m' : $address;
        $cache = new Cache(new Pool($server, serializer: $serializer, compression: $compression, compressAbove: 30));
        $reader = new Cache(new Pool($server, serializer: Serializer::cases()[($number + 1) % 4], compression: Compression::None));
        mt_srand(4711 + $number);
        for ($round = 0; $round < 150; $round++) {
            $value = random_value($reaches[$serializer->name] ?? new Reach(), 5);
            $expected = serialize(unserialize(serialize($value)));
            $cache->set('k', $value) or print("not stored\n");
            foreach ([$cache, $reader] as $each) {
                $found = serialize($each->get('k', 'missing'));
                $read++;
                if ($found !== $expected) {
                    echo "{$serializer->name} {$compression->name} $round:\n$expected\n$found\n";
                    exit;
                }
            }
        }
    }
}
var_dump($read >= 1200);
?>
--EXPECT--
bool(true)

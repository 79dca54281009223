--TEST--
MC::get() reads legacy arrays from php-memcached, except with objects
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached');
?>
--INI--
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
MC::use(new Cache(new Pool($server->address)));
$values = ['null' => null, 'text' => 'value', 'list' => range(1, 5000), 'large' => str_repeat('text ', 20_000), 'noise' => random_bytes(50_000), 'mixed' => [random_bytes(9000) . str_repeat("\0", 9000), 'x' => [1.5, true]], 'object' => new ArrayObject([1])];
$now = time();
Clock::freeze($now);
$wrong = $read = $compressed = 0;
foreach (['php' => Memcached::SERIALIZER_PHP, 'igbinary' => Memcached::SERIALIZER_IGBINARY] as $serializer_name => $serializer) {
    foreach (['none' => null, 'zlib' => Memcached::COMPRESSION_ZLIB, 'fastlz' => Memcached::COMPRESSION_FASTLZ] as $compression_name => $compression) {
        $memcached = new Memcached;
        $memcached->addServer($server->host, $server->port);
        $memcached->setOption(Memcached::OPT_SERIALIZER, $serializer);
        $memcached->setOption(Memcached::OPT_COMPRESSION, $compression !== null);
        if ($compression !== null) {
            $memcached->setOption(Memcached::OPT_COMPRESSION_TYPE, $compression);
        }
        foreach ($values as $name => $value) {
            foreach ([50 => $name === 'object' ? false : $value, -1 => false] as $seconds => $expected) {
                if (!$memcached->set('k', ['_dc_cache' => $value, '_dc_life_end' => $now + $seconds, '_dc_cache_time' => 100])) {
                    echo "not written: $name\n";
                }
                preg_match('/^VALUE k (\d+)/', $server->raw('get k'), $found);
                $compressed += ($found[1] & 0x10) !== 0;
                $answer = MC::get('k');
                $read++;
                if (serialize($answer) !== serialize($expected)) {
                    $wrong++;
                    echo "$name by $serializer_name and $compression_name for $seconds s: ", get_debug_type($answer), "\n";
                }
            }
        }
    }
}
echo "wrong: $wrong of $read, compressed: ", $compressed >= 20 ? 'many' : $compressed, "\n";
?>
--EXPECT--
wrong: 0 of 84, compressed: many

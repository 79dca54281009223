--TEST--
Too deep, too large and truncated serialized bytes are misses
--EXTENSIONS--
igbinary
msgpack
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack');
?>
--INI--
memory_limit=64M
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/envelope.inc';

set_error_handler(function (int $level, string $message) {
    if (error_reporting() & $level) {
        echo "shown: $message\n";
    }
    return true;
});
$server = start_memcached();
$cache = new Cache(new Pool($server->address));
function reads(int $type, string $bytes): string
{
    global $server, $cache;
    put_raw($server, 'k', make_envelope('k', $bytes), envelope_flags($type));
    $found = $cache->get('k', 'miss');
    return $found === 'miss' ? '-' : 'r';
}

$nested = [
    4 => [fn (int $depth) => str_repeat('a:1:{i:0;', $depth) . 'N;' . str_repeat('}', $depth), 4096],
    5 => [fn (int $depth) => "\0\0\0\2" . str_repeat("\x14\1\x0D", $depth) . "\0", 4096],
    6 => [fn (int $depth) => str_repeat('[', $depth) . str_repeat(']', $depth), 4096],
    7 => [fn (int $depth) => str_repeat("\x91", $depth) . "\xC0", 512],
];
foreach ($nested as $type => [$make, $most]) {
    echo "$type: ", reads($type, $make($most)), reads($type, $make($most + 1)), reads($type, $make(300_000 >> ($type === 4 ? 2 : 0))), "\n";
}
echo "arrays inside each other that claim all that is left\n";
$greedy = [
    4 => fn (int $levels) => implode('', array_map(fn ($i) => sprintf('a:%d:{i:0;', 9 * ($levels - $i)), range(1, $levels))),
    5 => fn (int $levels) => "\0\0\0\2" . implode('', array_map(fn ($i) => "\x16" . pack('N', 3 * ($levels - $i)) . "\x06\0", range(1, $levels))),
    7 => fn (int $levels) => implode('', array_map(fn ($i) => "\xDD" . pack('N', 4 * ($levels - $i)), range(1, $levels))),
];
foreach ($greedy as $type => $make) {
    echo "$type: ", reads($type, $make(500)), reads($type, $make(4000)), "\n";
}
echo "6: ", reads(6, '[' . str_repeat('[0],', 200_000) . '0]'), reads(6, '[' . str_repeat('[0],', 1000) . '0]'), "\n";
echo "cut anywhere\n";
$value = ['list' => [1, -300, 70000, 5_000_000_000, 1.5, true, null, '', 'text'], 'again' => ['text', 'text']];
foreach ([4 => serialize($value), 5 => igbinary_serialize($value), 6 => json_encode($value), 7 => msgpack_serialize($value)] as $type => $bytes) {
    $read = 0;
    for ($length = 0; $length < strlen($bytes); $length++) {
        $read += reads($type, substr($bytes, 0, $length)) === 'r';
    }
    echo "$type: $read ", reads($type, $bytes), reads($type, "$bytes\0"), "\n";
}
echo "MessagePack with objects, references and extensions\n";
echo reads(7, msgpack_serialize(new ArrayObject([1]))), reads(7, msgpack_serialize([new stdClass])), reads(7, "\x82\xC0\xA8stdClass\xA1a\1"),
    reads(7, "\x82\xC0\1\0\1"), reads(7, "\x82\xC0\4\0\1"), reads(7, "\xD4\1\1"), reads(7, "\xC4\1a"), reads(7, "\xC1"), reads(7, "\x81\xC3\1"), "\n";
?>
--EXPECT--
4: r--
5: r--
6: r--
7: r--
arrays inside each other that claim all that is left
4: --
5: --
7: --
6: -r
cut anywhere
4: 0 r-
5: 0 r-
6: 0 r-
7: 0 r-
MessagePack with objects, references and extensions
---------

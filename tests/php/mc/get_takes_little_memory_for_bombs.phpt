--TEST--
MC::get() returns false for decompression bombs and uses little memory
--EXTENSIONS--
mcpatterns
zlib
igbinary
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('zlib', 'igbinary');
?>
--INI--
memory_limit=32M
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));
MC::use($cache);

/** Of 64 MiB and more, without ever holding them. */
function deflate(string $piece, int $times, string $tail = ''): string
{
    $context = deflate_init(ZLIB_ENCODING_DEFLATE);
    $stream = '';
    for ($i = 0; $i < $times; $i++) {
        $stream .= deflate_add($context, $piece, ZLIB_NO_FLUSH);
    }
    return $stream . deflate_add($context, $tail, ZLIB_FINISH);
}

/** FastLZ, level 2: a literal, and a run of it. */
function run(int $length): string
{
    $more = $length - 1 - 9;
    return pack('V', $length) . "\x20a\xE0" . str_repeat("\xFF", intdiv($more, 255)) . chr($more % 255) . "\0";
}

$zeros = str_repeat("\0", 1 << 20);
$nested = str_repeat('a:1:{i:0;', 4000) . 'i:0;' . str_repeat('}', 4000);
$list = fn (string $items, int $count) => 'a:' . $count . ":{{$items}}";
$empty = implode('', array_map(fn ($i) => "i:$i;a:0:{}", range(0, 9999)));
$many = implode('', array_map(fn ($i) => "i:$i;a:1:{i:0;i:1;}", range(0, 19999)));
$bombs = [
    'zeros by pecl' => [deflate($zeros, 80), 3],
    'zeros by php-memcached' => [pack('V', 80 << 20) . deflate($zeros, 80), 0x34],
    'zeros that lie' => [pack('V', 1000) . deflate($zeros, 80), 0x34],
    'length that lies' => [pack('V', 20 << 20) . gzcompress('x'), 0x34],
    'FastLZ in nine bytes' => [pack('V', 31 << 20) . "\x20a\xE0\xFF\x00", 0x54],
    'FastLZ that is true' => [run(31 << 20), 0x54],
    'FastLZ of 20 MB' => [run(20 << 20), 0x54],
    'a text of a length that lies' => ['s:2000000000:"x";', 4],
    'a count that lies' => ['a:2000000000:{', 4],
    'a count that its bytes allow' => ['a:1000000:{' . str_repeat('i:1;i:1;', 125_000), 4],
    'arrays of one' => [gzcompress($list($many, 20_000)), 3],
    'arrays of one, plain' => [$list($many, 20_000), 4],
    'nested' => [gzcompress($list("i:0;{$nested}i:1;{$nested}", 2)), 3],
    'igbinary of arrays of one' => ["\0\0\0\2\x16" . pack('N', 20_000) . str_repeat("\x06\x00\x14\x01\x06\x00\x00", 20_000), 5],
    'igbinary of a count that lies' => ["\0\0\0\2\x16\xFF\xFF\xFF\xFF\x06\0\0", 5],
    'igbinary, deep' => ["\0\0\0\2" . str_repeat("\x14\x01\x06\x00", 200_000) . "\0", 5],
];
unset($zeros);
foreach ($bombs as $name => [$bytes, $flags]) {
    put_raw($server, 'k', $bytes, $flags);
    $bombs[$name] = [strlen($bytes), $flags];
    unset($bytes);
    MC::get('other');
    $before = memory_get_usage();
    memory_reset_peak_usage();
    $unreadable = $cache->stats()['unreadable'];
    $answer = MC::get('k');
    $taken = memory_get_peak_usage() - $before;
    // One copy of the item, and what zlib was allowed on the way.
    $allowed = 100_000 + 2 * $bombs[$name][0] + ($flags === 3 ? 12 << 20 : 0);
    echo $name, ': ', json_encode($answer), $taken <= $allowed ? '' : " took $taken for {$bombs[$name][0]} bytes",
        $cache->stats()['unreadable'] > $unreadable ? '' : ' not counted', "\n";
}
echo "what fits is read\n";
$end = time() + 100;
foreach (['text' => str_repeat('text ', 200_000), 'list' => range(1, 20_000), 'rows' => array_fill(0, 1000, ['id' => 1, 'name' => 'x'])] as $name => $value) {
    $wrapped = serialize(['_dc_cache' => $value, '_dc_life_end' => $end, '_dc_cache_time' => 1]);
    put_raw($server, 'k', gzcompress($wrapped), 3);
    $zlib = MC::get('k') === $value;
    put_raw($server, 'k', pack('V', strlen($wrapped)) . gzcompress($wrapped), 0x34);
    echo $name, ': ', json_encode([$zlib, MC::get('k') === $value]), "\n";
}
?>
--EXPECT--
zeros by pecl: false
zeros by php-memcached: false
zeros that lie: false
length that lies: false
FastLZ in nine bytes: false
FastLZ that is true: false
FastLZ of 20 MB: false
a text of a length that lies: false
a count that lies: false
a count that its bytes allow: false
arrays of one: false
arrays of one, plain: false
nested: false
igbinary of arrays of one: false
igbinary of a count that lies: false
igbinary, deep: false
what fits is read
text: [true,true]
list: [true,true]
rows: [true,true]

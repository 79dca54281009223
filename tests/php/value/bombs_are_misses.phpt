--TEST--
Values above mcpatterns.decompress_limit are misses without allocating memory
--EXTENSIONS--
zlib
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('zlib');
?>
--INI--
memory_limit=64M
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool};

require __DIR__ . '/../../_support/envelope.inc';
require __DIR__ . '/../../_support/compressions.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));

/** Whether the bytes are read as a value, and whether reading took a megabyte or a count is missing. */
function outcome(string $payload, int $flags): string
{
    global $server, $cache;
    put_raw($server, 'k', make_envelope('k', $payload), envelope_flags($flags));
    $before = $cache->stats()['unreadable'];
    memory_reset_peak_usage();
    $used = memory_get_usage();
    $found = $cache->get('k', 'miss');
    $told = is_string($found) && strlen($found) > 20 ? 'string of ' . strlen($found) : json_encode($found);
    $counted = $cache->stats()['unreadable'] - $before;
    return $told . ($counted ? ' counted' : '') . ($found === 'miss' && memory_get_peak_usage() - $used > 1_000_000 ? ' and large' : '') . "\n";
}

$text = str_repeat('a', 5000);
$block = gzcompress($text);
echo outcome(with_length($block, 5000), COMPRESSED_ZLIB);
echo outcome(with_length(gzcompress(serialize([1, 2])), strlen(serialize([1, 2]))), COMPRESSED_ZLIB | 4);
echo "lengths that are not true\n";
foreach ([0, 1, 4999, 5001, 2 ** 24, 2 ** 24 + 1, 2 ** 31, 2 ** 32 - 1] as $length) {
    echo outcome(with_length($block, $length), COMPRESSED_ZLIB);
}
echo "a bomb, and one within the limit\n";
$zeros = gzcompress(str_repeat("\0", 2 ** 24 + 1), 9);
echo outcome(with_length($zeros, 2 ** 24 + 1), COMPRESSED_ZLIB);
echo outcome(with_length(gzcompress(str_repeat("\0", 2 ** 24), 9), 2 ** 24), COMPRESSED_ZLIB);
ini_set('mcpatterns.decompress_limit', '4999');
echo outcome(with_length($block, 5000), COMPRESSED_ZLIB);
ini_set('mcpatterns.decompress_limit', '5000');
echo outcome(with_length($block, 5000), COMPRESSED_ZLIB);
ini_restore('mcpatterns.decompress_limit');
echo "damaged\n";
foreach (['', "\x88", "\x88\x13\0\0", with_length(substr($block, 0, -1), 5000), with_length("$block\0", 5000), with_length("x$block", 5000)] as $payload) {
    echo outcome($payload, COMPRESSED_ZLIB);
}
echo outcome(with_length("\x04hello", 5), COMPRESSED_FASTLZ);
echo outcome(with_length("\x04hello", 500_000), COMPRESSED_FASTLZ);
echo "other flags\n";
foreach ([COMPRESSED_ZLIB | 1, COMPRESSED_ZLIB | 3, COMPRESSED_ZLIB | 8, 0x20, 0x10, 0x70, 0xF0, COMPRESSED_ZLIB | 0x200] as $flags) {
    echo outcome(with_length($block, 5000), $flags);
}
?>
--EXPECT--
string of 5000
[1,2]
lengths that are not true
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
a bomb, and one within the limit
"miss" counted
string of 16777216
"miss" counted
string of 5000
damaged
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"hello"
"miss" counted
other flags
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted
"miss" counted

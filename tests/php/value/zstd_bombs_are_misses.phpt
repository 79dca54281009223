--TEST--
Damaged and oversized zstd values are misses
--EXTENSIONS--
mcpatterns
--INI--
memory_limit=64M
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool};

require __DIR__ . '/../../_support/envelope.inc';
require __DIR__ . '/../../_support/compressions.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, compression: Compression::Zstd));

function get_payload(string $payload): mixed
{
    global $server, $cache;
    put_raw($server, 'k', make_envelope('k', $payload), envelope_flags(COMPRESSED_ZSTD));
    return $cache->get('k', 'miss');
}

$text = implode(' ', range(1, 2000));
$cache->set('k', $text);
$payload = read_envelope(get_raw($server, 'k')[0])['payload'];
var_dump(unpack('V', $payload)[1] === strlen($text), substr($payload, 4, 4) === "\x28\xB5\x2F\xFD", get_payload($payload) === $text);
$block = substr($payload, 4);
foreach ([0, strlen($text) - 1, strlen($text) + 1, 2 ** 24 + 1, 2 ** 32 - 1] as $length) {
    echo get_payload(with_length($block, $length)), ' ';
}
echo "\n";
/* A frame that says that it has 32 MiB, in one block of zeros repeated. */
$repeat = fn (int $size, bool $is_last): string => substr(pack('V', $size << 3 | 1 << 1 | (int) $is_last), 0, 3) . "\0";
$bomb = "\x28\xB5\x2F\xFD\xA0" . pack('V', 2 ** 25) . str_repeat($repeat(131072, false), 255) . $repeat(131072, true);
memory_reset_peak_usage();
$used = memory_get_usage();
echo get_payload(with_length($bomb, 2 ** 25)), ' ', memory_get_peak_usage() - $used < 1_000_000 ? 'small' : 'large', "\n";
ini_set('mcpatterns.decompress_limit', '32M');
ini_set('memory_limit', '256M');
var_dump(strlen(get_payload(with_length($bomb, 2 ** 25))) === 2 ** 25);
$differing = 0;
for ($at = 0; $at < strlen($payload); $at += 7) {
    $found = get_payload(substr_replace($payload, chr(ord($payload[$at]) ^ 1 << $at % 8), $at, 1));
    $differing += $found !== 'miss' && strlen($found) !== strlen($text);
    $differing += get_payload(substr($payload, 0, $at)) !== 'miss';
}
var_dump($differing);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
miss miss miss miss miss 
miss small
bool(true)
int(0)

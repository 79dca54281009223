--TEST--
Values above compressAbove are compressed if that saves 1/8
--EXTENSIONS--
zlib
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('zlib');
?>
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Serializer};

require __DIR__ . '/../../_support/envelope.inc';
require __DIR__ . '/../../_support/compressions.inc';

$server = start_memcached();
mt_srand(1);

/** The flags and the length of what is stored for a value, and whether it is the value's own bytes. */
function stored(Cache $cache, mixed $value): string
{
    global $server;
    $cache->set('k', $value);
    [$item, $flags] = get_raw($server, 'k');
    $payload = read_envelope($item)['payload'];
    $plain = is_scalar($value) ? (string) $value : serialize($value);
    return sprintf('%04x %s', $flags >> 17, $payload === $plain ? 'plain' : (strlen($payload) <= strlen($plain) * 7 / 8 ? 'smaller' : 'too long'));
}

$noise = fn (int $length): string => implode('', array_map(fn () => chr(mt_rand(0, 255)), range(1, $length)));
foreach (compressions() as $compression) {
    $cache = new Cache(new Pool($server->address, serializer: Serializer::Php, compression: $compression));
    $above = new Cache(new Pool($server->address, serializer: Serializer::Php, compression: $compression, compressAbove: 9));
    $never = new Cache(new Pool($server->address, serializer: Serializer::Php, compression: $compression, compressAbove: PHP_INT_MAX));
    echo $compression->name, "\n";
    foreach ([str_repeat('a', 2000), str_repeat('a', 2001), range(1, 1000), $noise(4000), $noise(3500) . str_repeat('c', 450), $noise(3000) . str_repeat('c', 1000), 1.5] as $value) {
        echo '  ', stored($cache, $value), "\n";
    }
    echo '  above 9: ', stored($above, 'aaaaaaaaa'), ', ', stored($above, 'aaaaaaaaaa'), ', ', stored($above, str_repeat('a', 60)), ', ', stored($above, -1234567890123), "\n";
    echo '  never:   ', stored($never, str_repeat('a', 5000)), "\n";
}
(new Cache(new Pool($server->address, compression: Compression::Zlib)))->set('z', str_repeat('z', 5000));
$payload = read_envelope(get_raw($server, 'z')[0])['payload'];
var_dump(unpack('V', $payload)[1], gzuncompress(substr($payload, 4)) === str_repeat('z', 5000));

$words = implode(' ', array_map(fn () => ['alpha', 'beta', 'gamma', 'delta'][mt_rand(0, 3)], range(1, 4000)));
$sizes = [];
foreach ([1, 9] as $level) {
    ini_set('mcpatterns.zlib_level', (string) $level);
    (new Cache(new Pool($server->address, compression: Compression::Zlib)))->set('l', $words);
    $sizes[] = strlen(get_raw($server, 'l')[0]);
}
var_dump($sizes[1] < $sizes[0]);
?>
--EXPECT--
None
  0000 plain
  0000 plain
  0004 plain
  0000 plain
  0000 plain
  0000 plain
  0002 plain
  above 9: 0000 plain, 0000 plain, 0000 plain, 0001 plain
  never:   0000 plain
Zlib
  0000 plain
  0030 smaller
  0034 smaller
  0000 plain
  0000 plain
  0030 smaller
  0002 plain
  above 9: 0000 plain, 0000 plain, 0030 smaller, 0001 plain
  never:   0000 plain
Zstd
  0000 plain
  0090 smaller
  0094 smaller
  0000 plain
  0000 plain
  0090 smaller
  0002 plain
  above 9: 0000 plain, 0000 plain, 0090 smaller, 0001 plain
  never:   0000 plain
int(5000)
bool(true)
bool(true)

--TEST--
MC::get() returns false for damaged legacy arrays, without warnings
--EXTENSIONS--
mcpatterns
zlib
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('zlib');
?>
--INI--
memory_limit=512M
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../_support/envelope.inc';

$server = start_memcached();
MC::use(new Cache(new Pool($server->address)));
$wrapped = serialize(['_dc_cache' => str_repeat('value', 40), '_dc_life_end' => time() + 100, '_dc_cache_time' => 100]);
$zlib = gzcompress($wrapped);
$literals = implode('', array_map(fn ($part) => chr(strlen($part) - 1) . $part, str_split($wrapped, 32)));
$fastlz = pack('V', strlen($wrapped)) . $literals;
$forms = [
    'plain' => [$wrapped, 4], 'plain by pecl' => [$wrapped, 1], 'zlib by pecl' => [$zlib, 3],
    'zlib by php-memcached' => [pack('V', strlen($wrapped)) . $zlib, 0x34], 'fastlz' => [$fastlz, 0x54],
];
mt_srand(7);
$wrong = 0;
foreach ($forms as $name => [$bytes, $flags]) {
    put_raw($server, 'k', $bytes, $flags);
    $whole = MC::get('k');
    echo $name, ': ', $whole === str_repeat('value', 40) ? 'read' : json_encode($whole), "\n";
    for ($length = 0; $length < strlen($bytes); $length += 5) {
        put_raw($server, 'k', substr($bytes, 0, $length), $flags);
        $wrong += MC::get('k') !== false;
    }
    for ($i = 0; $i < 100; $i++) {
        $damaged = $bytes;
        for ($n = mt_rand(1, 3); $n > 0; $n--) {
            $damaged[mt_rand(0, strlen($bytes) - 1)] = chr(mt_rand(0, 255));
        }
        put_raw($server, 'k', $damaged, $flags);
        $answer = MC::get('k');
        $wrong += $answer !== false && !is_string($answer);
    }
}
echo "wrong: $wrong\n";
echo "lengths that claim too much\n";
foreach ([0xFFFFFFFF, 0x7FFFFFFF, 64 << 20] as $length) {
    put_raw($server, 'k', pack('V', $length) . substr($fastlz, 4), 0x54);
    echo json_encode(MC::get('k')), ' ';
}
$bomb = gzcompress(str_repeat("\0", 100 << 20));
put_raw($server, 'k', $bomb, 3);
echo json_encode(MC::get('k')), "\n";
?>
--EXPECT--
plain: read
plain by pecl: read
zlib by pecl: read
zlib by php-memcached: read
fastlz: read
wrong: 0
lengths that claim too much
false false false false

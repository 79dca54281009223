--TEST--
Values from php-memcached are stale: 1 caller is elected, others read them (C19)
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Status};

require __DIR__ . '/../../../_support/envelope.inc';
require __DIR__ . '/../../../_support/compressions.inc';

$server = start_memcached();
$pool = new Pool($server->address, 'app:');
$cache = new Cache($pool, foreign: true);
$other = new Cache($pool, foreign: true);
$blind = new Cache($pool);
$long = ['list' => range(1, 3000), 'rows' => array_fill(0, 400, ['id' => 1, 'name' => 'x', 'share' => 0.5, 'on' => true, 'none' => null])];
$values = ['string' => 'text', 'empty' => '', 'large' => str_repeat('text ', 5000), 'zero' => 0, 'int' => -5, 'greatest' => PHP_INT_MAX, 'float' => 0.1, 'whole' => 2.0, 'tiny' => -1.5e-300,
    'inf' => INF, 'minus' => -INF, 'true' => true, 'false' => false, 'null' => null, 'array' => ['a' => [1, 'b' => null], 7 => 'x'], 'like a number' => '42', 'like serialized' => 'i:5;', 'long' => $long];
$objects = ['object' => new ArrayObject([1, 'two']), 'date' => new DateTimeImmutable('2001-02-03')];
$wrong = 0;
$counts = [];
function check(string $what, mixed $expected, mixed $found): void
{
    global $wrong;
    if (serialize($expected) !== serialize($found)) {
        $wrong++;
        echo $what, ': ', substr(var_export($found, true), 0, 200), "\n";
    }
}
/** One key of theirs, through all that is promised. */
function follow(string $what, mixed $value): void
{
    global $cache, $other, $blind, $counts, $server;
    [, $flags] = get_raw($server, 'app:k');
    $counts[sprintf('%02x', $flags)] = true;
    check("$what, without foreign", 'none', $blind->peek('k', 'none'));
    check($what, [$value, true], [$cache->peek('k', 'none'), $cache->has('k')]);
    $entry = $cache->entry('k');
    check("$what, its story", [Status::Stale, null, null, $value], [$entry->status, $entry->age, $entry->computeTime, $entry->value]);
    check("$what, elected", Status::Elected, $cache->lookup('k')->status);
    check("$what, the others", [serialize($value), serialize($value), serialize(['k' => $value])], [serialize($other->get('k', 'none')), serialize($blind->get('k', 'none')), serialize($other->getMultiple(['k']))]);
    check("$what, published", [true, 'new'], [$cache->publish('k', 'new'), $other->get('k')]);
}

foreach (['php' => Memcached::SERIALIZER_PHP, 'igbinary' => Memcached::SERIALIZER_IGBINARY, 'json' => Memcached::SERIALIZER_JSON, 'msgpack' => Memcached::SERIALIZER_MSGPACK] as $serializer => $option) {
    foreach (['none' => null, 'zlib' => Memcached::COMPRESSION_ZLIB, 'fastlz' => Memcached::COMPRESSION_FASTLZ] as $compression => $type) {
        $memcached = new Memcached;
        $memcached->addServer($server->host, $server->port);
        $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'app:');
        $memcached->setOption(Memcached::OPT_SERIALIZER, $option);
        $memcached->setOption(Memcached::OPT_COMPRESSION, $type !== null);
        if ($type !== null) {
            $memcached->setOption(Memcached::OPT_COMPRESSION_TYPE, $type);
        }
        foreach ($values + ($option < Memcached::SERIALIZER_JSON ? $objects : []) as $name => $value) {
            check('stored', true, $memcached->set('k', $value));
            follow("$name by $serializer and $compression", $value);
        }
    }
}
// Only its releases since 3.3 have it.
if (in_array(Compression::Zstd, compressions())) {
    $pool = new Pool($server->address, compression: Compression::Zstd);
    foreach (['text' => [$values['large'], 0], 'array' => [serialize($long), 4]] as $name => [$bytes, $type]) {
        (new Cache($pool))->set('z', $bytes);
        put_raw($server, 'app:k', get_envelope($server, 'z')['payload'], $type | COMPRESSED_ZSTD);
        follow("$name by zstd", $type === 0 ? $bytes : $long);
    }
} else {
    $counts += ['90' => true, '94' => true];
}
echo "wrong: $wrong\n";
ksort($counts, SORT_STRING);
echo implode(' ', array_keys($counts)), "\n";
echo json_encode(array_intersect_key($cache->stats(), ['unreadable' => 0, 'forged' => 0, 'errors' => 0])), "\n";
?>
--EXPECT--
wrong: 0
00 01 02 03 04 05 06 07 30 34 35 36 37 50 54 55 56 57 90 94
{"unreadable":0,"forged":0,"errors":0}

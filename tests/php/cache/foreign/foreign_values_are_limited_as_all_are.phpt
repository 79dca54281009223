--TEST--
Values from another client obey signingKey, allowedClasses and decompress_limit
--EXTENSIONS--
mcpatterns
igbinary
msgpack
zlib
--INI--
mcpatterns.mc_legacy=1
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$value = ['a' => 1, 'object' => new ArrayObject([1])];
$items = ['string' => ['text', 0], 'int' => ['5', 1], 'php' => [serialize($value), 4], 'pecl' => [serialize($value), 1], 'pecl, compressed' => [gzcompress(serialize($value)), 3],
    'json' => ['{"a":1}', 6], 'igbinary' => [igbinary_serialize(['a' => 1]), 5], 'msgpack' => [msgpack_pack(['a' => 1]), 7]];
function outcomes(Cache $cache): void
{
    global $server, $items;
    foreach ($items as $name => [$bytes, $flags]) {
        put_raw($server, 'k', $bytes, $flags);
        $before = $cache->stats();
        $found = $cache->peek('k', 'a miss');
        $after = $cache->stats();
        if (is_array($found) && isset($found['object'])) {
            $found['object'] = get_class($found['object']);
        }
        echo $name, ': ', json_encode($found), $after['unreadable'] > $before['unreadable'] ? ' unreadable' : '', $after['forged'] > $before['forged'] ? ' forged' : '', "\n";
    }
}
echo "no classes\n";
outcomes(new Cache(new Pool($server->address, allowedClasses: false), foreign: true));
echo "one class\n";
outcomes(new Cache(new Pool($server->address, allowedClasses: [ArrayObject::class]), foreign: true));
echo "signed\n";
outcomes($signed = new Cache(new Pool($server->address, signingKey: 'secret'), foreign: true));
echo json_encode([$signed->remember('k', null, fn () => 'computed'), $signed->get('k')]), "\n";

echo "bombs\n";
$cache = new Cache(new Pool($server->address), foreign: true);
ini_set('mcpatterns.decompress_limit', 1_000_000);
foreach ([1_000_000, 1_000_001] as $length) {
    put_raw($server, 'k', gzcompress(str_repeat('a', $length)), 2);
    echo strlen($cache->peek('k', '')), ' ';
}
put_raw($server, 'k', substr(gzcompress(str_repeat('a', 1000)), 0, -2), 2);
echo json_encode($cache->peek('k', 'cut')), ' ';
put_raw($server, 'k', gzcompress(str_repeat('a', 1000)) . 'more', 2);
echo json_encode($cache->peek('k', 'with more')), ' ', $cache->stats()['unreadable'], "\n";

echo "the published code's array\n";
MC::use($cache);
put_raw($server, 'k', serialize(['_dc_cache' => 'value', '_dc_life_end' => time() + 50, '_dc_cache_time' => 100]), 1);
echo json_encode([MC::get('k'), MC::get('k')]), "\n";
?>
--EXPECT--
no classes
string: "text"
int: 5
php: {"a":1,"object":"__PHP_Incomplete_Class"}
pecl: {"a":1,"object":"__PHP_Incomplete_Class"}
pecl, compressed: {"a":1,"object":"__PHP_Incomplete_Class"}
json: {"a":1}
igbinary: "a miss" unreadable
msgpack: "a miss" unreadable
one class
string: "text"
int: 5
php: {"a":1,"object":"ArrayObject"}
pecl: {"a":1,"object":"ArrayObject"}
pecl, compressed: {"a":1,"object":"ArrayObject"}
json: {"a":1}
igbinary: "a miss" unreadable
msgpack: "a miss" unreadable
signed
string: "a miss" forged
int: "a miss" forged
php: "a miss" forged
pecl: "a miss" forged
pecl, compressed: "a miss" forged
json: "a miss" forged
igbinary: "a miss" forged
msgpack: "a miss" forged
["computed","computed"]
bombs
1000000 0 "cut" "with more" 3
the published code's array
["value","value"]

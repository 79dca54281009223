--TEST--
Nested objects with custom formats are misses and never crash
--EXTENSIONS--
igbinary
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary');
?>
--INI--
memory_limit=256M
error_reporting=24575
--FILE--
<?php
use McPatterns\{Cache, NotSerializableException, Pool, Serializer};

require __DIR__ . '/../../_support/envelope.inc';

const PHP = 4;
const IGBINARY = 5;
const BY_ZLIB = 0x30;

/** The old form of ArrayObject, so many of them, each around so many arrays and the one before. */
function nest(int $objects, int $arrays): string
{
    $text = 'i:1;';
    for ($i = 0; $i < $objects; $i++) {
        $text = body(str_repeat('a:1:{i:0;', $arrays) . $text . str_repeat('}', $arrays));
        $text = 'C:11:"ArrayObject":' . strlen($text) . ":{{$text}}";
    }
    return $text;
}

function body(string $text): string
{
    return "x:i:0;$text;m:a:0:{}";
}

function igbinary_object(string $body): string
{
    return pack('NCCa11CN', 2, 0x17, 11, 'ArrayObject', 0x1F, strlen($body)) . $body;
}

final class OldForm implements Serializable
{
    public function __construct(public mixed $inner = null) {}
    public function serialize(): string { return serialize($this->inner); }
    public function unserialize(string $text): void { $this->inner = unserialize($text); }
}

$server = start_memcached();
$cache = new Cache(new Pool($server->address), foreign: true);
$limited = new Cache(new Pool($server->address, allowedClasses: false), foreign: true);
$told = function (string $bytes, int $type) use ($server, $cache): string {
    put_raw($server, 'k', pack('V', strlen($bytes)) . gzcompress($bytes), $type | BY_ZLIB);
    $value = $cache->peek('k', 'miss');
    return is_object($value) ? get_class($value) : $value;
};

foreach ([[3, 2], [64, 1], [1000, 1], [10, 4000], [1, 5000], [2000, 1]] as [$objects, $arrays]) {
    echo "$objects around $arrays: ", $told(nest($objects, $arrays), PHP), ', ',
        $told(igbinary_object(body(nest($objects - 1, $arrays) ?: 'a:0:{}')), IGBINARY), "\n";
}
echo $cache->stats()['unreadable'], " unreadable\n";

echo "many beside each other\n";
$objects = array_map(fn (int $i) => "i:$i;C:11:\"ArrayObject\":21:{x:i:0;a:0:{};m:a:0:{}}", range(0, 199_999));
$many = 'a:200000:{' . implode('', $objects);
put_raw($server, 'k', pack('V', strlen($many) + 1) . gzcompress("$many}"), PHP | BY_ZLIB);
unset($many, $objects);
ini_set('memory_limit', '64M');
echo $limited->peek('k', 'miss'), ' ', $cache->peek('k', 'miss'), "\n";

echo "what is not read is not written\n";
$writer = new Cache(new Pool($server->address, serializer: Serializer::Php));
foreach ([64, 65] as $objects) {
    $value = null;
    for ($i = 0; $i < $objects; $i++) {
        $value = new OldForm($value);
    }
    try {
        $writer->set('k', $value);
        echo json_encode($writer->get('k', 'miss') == $value), "\n";
    } catch (NotSerializableException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
?>
--EXPECT--
3 around 2: ArrayObject, ArrayObject
64 around 1: ArrayObject, ArrayObject
1000 around 1: miss, miss
10 around 4000: miss, miss
1 around 5000: miss, miss
2000 around 1: miss, miss
8 unreadable
many beside each other
miss miss
what is not read is not written
true
Cannot store the value of "k": not serializable: the value is nested more than 4096 levels deep

--TEST--
An undecodable value is a silent miss
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

set_error_handler(function (int $level, string $message) {
    if (error_reporting() & $level) {
        echo "shown: $message\n";
    }
    return true;
});

class Changed { public string $name = 'x'; }
class Wakes
{
    public static bool $fails = false;
    public $id = 1;
    public function __wakeup()
    {
        if (self::$fails) {
            throw new DomainException('mine');
        }
    }
}

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address));

/** Stores a string as what its bytes say: the envelope knows nothing of types, only of lengths. */
function store_as(string $key, string $bytes, int $type): void
{
    global $cache, $server;
    $cache->set($key, $bytes);
    preg_match("/^VALUE $key (\\d+) (\\d+)\r\n(.*)\r\nEND\r\n$/s", $server->raw("get $key"), $found);
    $server->raw("set $key " . (65536 | $type << 17) . " 0 $found[2]\r\n$found[3]");
}

$unreadable = [
    [1, ''], [1, 'x'], [1, '1.5'], [1, '+1'], [1, '1x'], [1, '9223372036854775808'], [1, ' 1'],
    [2, ''], [2, 'x'], [2, '1.5x'], [2, 'inf'], [2, ' 1'], [2, '0x1'], [2, str_repeat('1', 64)],
    [3, '0'], [3, 'true'], [3, '11'],
    [4, ''], [4, 'x'], [4, 'i:1'], [4, 'i:1;i:2;'], [4, 'a:1:{i:0;i:1;'], [4, 'a:1000000000:{}'], [4, 's:5:"x";'], [4, 'R:1;'],
    [4, 'O:7:"Changed":1:{s:4:"name";a:0:{}}'], [4, 'O:7:"Closure":0:{}'], [4, 'E:5:"a:b:c";'],
    [4, 'O:8:"DateTime":1:{s:4:"date";s:3:"bad";}'], [4, 'O:11:"ArrayObject":1:{i:0;i:0;}'],
    [5, "\0\0\0\2\x06"], [6, '[1'], [7, "\x91"], [8, 'x'], [15, 'x'],
    [0x10, 'x'], [0x20, 'x'], [0x30, 'x'], [0x50, 'x'], [0x90, 'x'], [0x100, 'x'], [0x4000, 'x'],
];
foreach ($unreadable as $index => [$type, $bytes]) {
    store_as('k', $bytes, $type);
    if ($cache->get('k', 'miss') !== 'miss') {
        echo "$type $bytes is read: ";
        var_dump($cache->get('k'));
    }
}
// Whole values of igbinary and msgpack are unreadable just where these are not loaded.
foreach (['igbinary' => [5, "\0\0\0\2\x06\x01"], 'msgpack' => [7, "\x91\x01"]] as $library => [$type, $bytes]) {
    store_as('k', $bytes, $type);
    echo $library, ($cache->get('k', 'miss') === 'miss') === !extension_loaded($library) ? '' : ' is wrong', "\n";
}
$readable = [[1, '-5'], [1, '9 '], [2, '1'], [2, '-.5e3'], [2, 'Infinity'], [3, ''], [3, '1'], [4, 'b:0;'], [4, 'N;'], [4, 'O:6:"Absent":0:{}']];
foreach ($readable as [$type, $bytes]) {
    store_as('k', $bytes, $type);
    echo json_encode($cache->get('k', 'miss'), JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

$cache->set('k', [new Wakes()]);
Wakes::$fails = true;
echo $cache->get('k', 'miss'), "\n";
Wakes::$fails = false;
echo count($cache->get('k')), ' ', error_reporting() === E_ALL ? 'reporting as before' : 'changed', "\n";
?>
--EXPECT--
igbinary
msgpack
-5
9
1
-500
0
false
true
false
null
"miss"
miss
1 reporting as before

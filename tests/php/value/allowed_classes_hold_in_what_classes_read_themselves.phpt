--TEST--
allowedClasses also limits what an allowed class unserializes itself
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Serializer};

require __DIR__ . '/../../_support/envelope.inc';

error_reporting(E_ALL & ~E_DEPRECATED);
class Other { public function __wakeup() { echo 'OTHER WOKEN '; } public function __destruct() { echo 'OTHER DESTROYED '; } }
/* Deprecated where it is compiled. */
eval('class Own implements Serializable {
    public $held;
    public function serialize() { return serialize($this->held); }
    public function unserialize($text) { $this->held = unserialize($text); }
}');
spl_autoload_register(fn (string $name) => print("LOADED $name "));

$server = start_memcached();
$texts = [
    ['SplObjectStorage', 'x:i:1;O:5:"Other":0:{},i:0;;m:a:0:{}'],
    ['SplObjectStorage', 'x:i:1;O:8:"stdClass":0:{},O:5:"Other":0:{};m:a:0:{}'],
    ['SplObjectStorage', 'x:i:1;O:8:"stdClass":0:{},E:9:"Nothing:A";;m:a:0:{}'],
    ['ArrayObject', 'x:i:0;a:1:{i:0;O:5:"Other":0:{}};m:a:0:{}'],
    ['ArrayObject', 'x:i:0;a:0:{};m:E:9:"Nothing:A";'],
    ['SplDoublyLinkedList', 'i:0;:O:5:"Other":0:{}'],
    ['SplDoublyLinkedList', 'i:0;:E:9:"Nothing:A";'],
    ['Own', 'O:5:"Other":0:{}'],
    ['Own', 'a:1:{i:0;O:7:"Nothing":0:{}}'],
    ['Own', 'E:9:"Nothing:A";'],
];
foreach ($texts as [$class, $inner]) {
    $text = sprintf('C:%d:"%s":%d:{%s}', strlen($class), $class, strlen($inner), $inner);
    put_raw($server, 'k', make_envelope('k', $text), envelope_flags(4));
    $found = (new Cache(new Pool($server->address, allowedClasses: [$class])))->get('k', 'miss');
    preg_match_all('/\w*(?:Other|Nothing|Incomplete_Class\b)/', print_r($found, true), $names);
    echo is_string($found) ? $found : get_class($found) . ' with ' . implode(' ', $names[0]), "\n";
    unset($found);
}
echo "none allowed, and strings\n";
$told = fn (bool|array $allowed): string => json_encode((array) (new Cache(new Pool($server->address, allowedClasses: $allowed)))->get('k', 'miss')) . "\n";
put_raw($server, 'k', make_envelope('k', 'C:3:"Own":2:{N;}'), envelope_flags(4));
echo $told(false), $told([]), $told(['Own']), $told(['Other']);
put_raw($server, 'k', make_envelope('k', serialize(['C:3:"Own":2:{N;}', 'C:' => 'C:3:', 'x;C:x'])), envelope_flags(4));
echo $told(false), $told(['Own']);
?>
--EXPECT--
miss
miss
miss
miss
miss
miss
miss
miss
miss
miss
none allowed, and strings
{"__PHP_Incomplete_Class_Name":"Own"}
{"__PHP_Incomplete_Class_Name":"Own"}
["miss"]
["miss"]
{"0":"C:3:\"Own\":2:{N;}","C:":"C:3:","1":"x;C:x"}
{"0":"C:3:\"Own\":2:{N;}","C:":"C:3:","1":"x;C:x"}

--TEST--
MC accepts keys of any type, returns false if invalid, never throws
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

MC::use(new Cache(new Pool('memory://keys', compression: McPatterns\Compression::None)));
$object = new class { function __toString() { return 'stringable'; } };
foreach ([null, '', false, [], ['k'], new stdClass, $object, STDIN] as $key) {
    echo get_debug_type($key), ': ', json_encode([MC::get($key), MC::set($key, 1), MC::delete($key), MC::increment($key)]), "\n";
}
echo 'nothing at all: ', json_encode([MC::get(), MC::set(), MC::delete(), MC::increment()]), "\n";
foreach ([0, '0', 1, true, 1.5, -7, ' ', "\n", str_repeat('x', 1000)] as $key) {
    $value = serialize($key);
    echo substr(var_export($key, true), 0, 10), ': ', json_encode([MC::set($key, $value), MC::get((string) $key) === $value, MC::delete($key), MC::get($key)]), "\n";
}
echo "values of every kind\n";
foreach ([null, false, 0, '', [], 'x', 1.5, new ArrayObject([1])] as $value) {
    echo json_encode([MC::set('v', $value), serialize(MC::get('v')) === serialize($value)]), ' ';
}
echo "\nvalues that cannot be stored\n";
MC::set('v', 'old');
foreach ([fn () => 1, STDIN, str_repeat('x', 2 << 20)] as $value) {
    echo json_encode([MC::set('v', $value), MC::get('v')]), ' ';
}
echo "\nreferences\n";
$key = 'r';
$reference = &$key;
$value = [1];
$other = &$value;
echo json_encode([MC::set($key, $value), MC::get($key)]), "\n";
?>
--EXPECT--
null: [false,false,false,false]
string: [false,false,false,false]
bool: [false,false,false,false]
array: [false,false,false,false]
array: [false,false,false,false]
stdClass: [false,false,false,false]
class@anonymous: [false,false,false,false]
resource (stream): [false,false,false,false]
nothing at all: [false,false,false,false]
0: [true,true,true,false]
'0': [true,true,true,false]
1: [true,true,true,false]
true: [true,true,true,false]
1.5: [true,true,true,false]
-7: [true,true,true,false]
' ': [true,true,true,false]
'
': [true,true,true,false]
'xxxxxxxxx: [true,true,true,false]
values of every kind
[true,true] [true,true] [true,true] [true,true] [true,true] [true,true] [true,true] [true,true] 
values that cannot be stored
[false,"old"] [false,"old"] [false,"old"] 
references
[true,[1]]

--TEST--
Each method agrees whether stored flags are a value or a miss (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../../../_support/reading.inc';

$reading = new Reading();
$seen = $reading->look_under_every_flag();
foreach (['5/5' => ['igbinary', 'array'], '2/7' => ['msgpack', 'int'], '7/7' => ['msgpack', 'array']] as $place => [$library, $type]) {
    $is = $seen[$place] ?? 'a miss';
    echo "$place: ", $is === (extension_loaded($library) ? $type : 'a miss') ? "as $library has it" : $is, "\n";
    unset($seen[$place]);
}
print_places($seen);
var_dump($reading->wrong);
?>
--EXPECT--
5/5: as igbinary has it
2/7: as msgpack has it
7/7: as msgpack has it
array: 0/4 6/6
bool: 1/3 2/3
float: 2/2 3/2 4/2 4/6
int: 2/1 2/6 3/1 3/6
string: 0/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0
int(0)

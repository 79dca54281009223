--TEST--
Each method agrees on stored flags with igbinary and msgpack loaded (C9)
--EXTENSIONS--
igbinary
msgpack
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack');
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/reading.inc';

$reading = new Reading();
print_places($reading->look_under_every_flag());
var_dump($reading->wrong);
?>
--EXPECT--
array: 0/4 5/5 6/6 7/7
bool: 1/3 2/3
float: 2/2 3/2 4/2 4/6
int: 2/1 2/6 2/7 3/1 3/6
string: 0/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0
int(0)

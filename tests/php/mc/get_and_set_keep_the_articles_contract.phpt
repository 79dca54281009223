--TEST--
MC returns false for misses and the elected caller, stale values otherwise
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

Clock::freeze(1_700_000_000);
MC::use($cache = new Cache(new Pool('memory://mc')));
$other = new Cache(new Pool('memory://mc'));
var_dump(MC::get('k'), MC::set('k', ['value'], false, 10), MC::get('k'));
Clock::advance(10);
var_dump($other->get('k', 'elected'), MC::get('k'), $other->abandon('k'), MC::get('k'), $other->get('k'), MC::set('k', 'new', false, 10), MC::get('k'));
echo "kept for as long again, and then gone\n";
Clock::advance(19.999);
var_dump($other->peek('k'));
Clock::advance(0.001);
var_dump(MC::get('k'), $cache->stats()['elected']);
echo "delete\n";
var_dump(MC::set('k'), $other->peek('k', 'default'), MC::delete('k'), MC::delete('k'), MC::get('k'));

echo "timeouts\n";
foreach ([0, 1, 3600, 1295999, 1296000, 99999999, -5, '60', 'abc', null, 2.9] as $timeout) {
    MC::set('t', 1, false, $timeout);
    echo json_encode($timeout), ' => ', $other->entry('t')->expiresIn, "\n";
}
MC::set('t', 1);
echo 'by default ', $other->entry('t')->expiresIn, "\n";
echo "flags\n";
foreach ([false, true, 0, 2, null, 'x'] as $flag) {
    var_dump(MC::set('f', 'value', $flag) && MC::get('f') === 'value');
}

echo "increment\n";
MC::set('n', 5);
var_dump(MC::increment('n'), MC::increment('n', 10), MC::increment('n', '4'), MC::get('n'), MC::increment('absent'), MC::set('n', 7), MC::increment('n'));
MC::set('n', 'text');
var_dump(MC::increment('n'), MC::get('n'), MC::increment('n', PHP_INT_MAX), MC::set('n', 1) && MC::increment('n', PHP_INT_MAX));
?>
--EXPECT--
bool(false)
bool(true)
array(1) {
  [0]=>
  string(5) "value"
}
string(7) "elected"
array(1) {
  [0]=>
  string(5) "value"
}
bool(true)
bool(false)
array(1) {
  [0]=>
  string(5) "value"
}
bool(true)
string(3) "new"
kept for as long again, and then gone
string(3) "new"
bool(false)
int(1)
delete
bool(true)
NULL
bool(true)
bool(true)
bool(false)
timeouts
0 => 1295999
1 => 1
3600 => 3600
1295999 => 1295999
1296000 => 1295999
99999999 => 1295999
-5 => 1295999
"60" => 60
"abc" => 1295999
null => 1295999
2.9 => 2
by default 3600
flags
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
increment
int(6)
int(16)
int(20)
int(20)
bool(false)
bool(true)
int(8)
bool(false)
string(4) "text"
bool(false)
bool(false)

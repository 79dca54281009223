--TEST--
Cache::getMultiple() returns and elects per key as get() does, in order (C12)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool(['memory://a', 'memory://b', 'memory://c']);
$cache = new Cache($pool, ttl: 10, lease: 5);
$other = new Cache($pool, ttl: 10, lease: 5);

$cache->set('old', 'old');
$cache->set('number', 5);
$cache->set('claimed', 'claimed');
Clock::advance(9);
$cache->increment('number');
Clock::advance(1);
$other->get('claimed');
$cache->setMultiple(['fresh' => 'fresh', 'null' => null, 'false' => false, 7 => 'seven', 'array' => [1, [2]]]);
$cache->set('counter', 100);
$cache->increment('counter', 11);

$keys = ['array', 'absent', 'old', 'number', 'claimed', 'fresh', 'null', 'false', 7, 'counter', 'fresh'];
var_dump($cache->getMultiple($keys, 'default'));
echo json_encode($other->getMultiple(['old', 'number', 'absent'])), "\n";
echo json_encode(array_slice($cache->stats(), 0, 15)), "\n";
var_dump($cache->publish('old', 'rebuilt'), $other->get('old'));

var_dump($cache->getMultiple([]));
foreach ([[[1.5], 'no string'], [[''], 'empty'], [[null], 'null'], [['a', []], 'array']] as [$bad, $name]) {
    foreach (['getMultiple', 'deleteMultiple'] as $method) {
        try {
            $cache->$method($bad);
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
}
var_dump($cache->deleteMultiple(['fresh', 'absent', 7]), $cache->getMultiple(['fresh', 7, 'null'], 'gone'));

echo "5,000 keys\n";
$values = [];
for ($i = 0; $i < 5000; $i++) {
    $values["key $i"] = $i % 2 ? $i : str_repeat('x', $i % 100);
}
var_dump($cache->setMultiple($values), $cache->getMultiple(array_keys($values)) === $values);
?>
--EXPECT--
array(10) {
  ["array"]=>
  array(2) {
    [0]=>
    int(1)
    [1]=>
    array(1) {
      [0]=>
      int(2)
    }
  }
  ["absent"]=>
  string(7) "default"
  ["old"]=>
  string(7) "default"
  ["number"]=>
  string(7) "default"
  ["claimed"]=>
  string(7) "claimed"
  ["fresh"]=>
  string(5) "fresh"
  ["null"]=>
  NULL
  ["false"]=>
  bool(false)
  [7]=>
  string(5) "seven"
  ["counter"]=>
  int(111)
}
{"old":"old","number":6,"absent":null}
{"hits":6,"stale":1,"misses":1,"elected":2,"busy":1,"waited":0,"early":0,"after_response":0,"stored":9,"discarded":0,"changed":0,"unstorable":0,"unreadable":0,"forged":0,"errors":0}
bool(true)
string(7) "rebuilt"
array(0) {
}
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be a list of strings, float found
TypeError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must be a list of strings, float found
ValueError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must not contain an empty key
ValueError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must not contain an empty key
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be a list of strings, null found
TypeError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must be a list of strings, null found
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be a list of strings, array found
TypeError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must be a list of strings, array found
bool(true)
array(3) {
  ["fresh"]=>
  string(4) "gone"
  [7]=>
  string(4) "gone"
  ["null"]=>
  NULL
}
5,000 keys
bool(true)
bool(true)

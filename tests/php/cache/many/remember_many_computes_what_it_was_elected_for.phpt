--TEST--
rememberMany() passes only elected keys to its callback, and returns all (C12)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/envelope.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'));
$cache = new Cache($pool, ttl: 100, lease: 10, wait: 0);
$other = new Cache($pool, ttl: 100, lease: 10);
$asked = null;
$remember = function (array $keys, ?callable $compute = null, int|float|null $ttl = null) use ($cache, &$asked) {
    $asked = 'nothing';
    $compute ??= fn ($missing) => array_combine($missing, array_map(fn ($key) => "new $key", $missing));
    $answer = $cache->rememberMany($keys, $ttl, function (array $missing) use (&$asked, $compute) {
        $asked = $missing;
        return $compute($missing);
    });
    echo json_encode($asked), ' -> ', json_encode($answer), "\n";
    return $answer;
};
$gets = fn () => array_sum(array_map(fn ($server) => $server->stats()['cmd_get'], $servers));

echo "cold, in the caller's order\n";
$remember(['z', 'a', 'm']);
$remember(['a', 'm', 'z']);
echo "some fresh, some absent, one old, one old and claimed by another\n";
$cache->set('old', 'old');
$cache->set('busy', 'busy');
$cache->expire('old');
$other->expire('busy');
$other->lookup('busy');
$remember(['q', 'busy', 'a', 'old', 'm', 'b']);
echo "named twice, integers, and strings that look like them\n";
var_dump(array_keys($remember(['5', 'x', 5, '05', 'x', 7, '-1'])));
$remember([7, '7', 5]);
echo "keys of the caller's array mean nothing\n";
$remember(['n' => 'z', 9 => 'a']);
$remember([]);
$given = ['a', 'z'];
$references = [&$given[0], &$given[1]];
$remember($references);

echo "the callback's array: any order, more keys, references, fewer keys\n";
$cache->deleteMultiple(['a', 'b', 'c', '5']);
$remember(['a', 'b', 'c', 5], function () {
    $value = 'by reference';
    return ['stranger' => 0, 5 => 'five', 'c' => null, 'a' => &$value];
});
var_dump($other->has('stranger'), $other->has('b'), $other->get('c', 'not null'), $other->get('5'));
echo "what was missing is no failure: another is elected at once\n";
$remember(['b', 'c'], fn () => []);
$find = fn (string $key) => array_values(array_filter(array_map(fn ($server) => get_envelope($server, $key), $servers)))[0];
var_dump($find('b')['claim'], $find('b')['failure']);

echo "its TTL\n";
$cache->delete('t');
$remember(['t'], null, 33);
echo round($cache->entry('t')->expiresIn), "\n";
?>
--EXPECT--
cold, in the caller's order
["z","a","m"] -> {"z":"new z","a":"new a","m":"new m"}
"nothing" -> {"a":"new a","m":"new m","z":"new z"}
some fresh, some absent, one old, one old and claimed by another
["q","old","b"] -> {"q":"new q","busy":"busy","a":"new a","old":"new old","m":"new m","b":"new b"}
named twice, integers, and strings that look like them
["5","x","05","7","-1"] -> {"5":"new 5","x":"new x","05":"new 05","7":"new 7","-1":"new -1"}
array(5) {
  [0]=>
  int(5)
  [1]=>
  string(1) "x"
  [2]=>
  string(2) "05"
  [3]=>
  int(7)
  [4]=>
  int(-1)
}
"nothing" -> {"7":"new 7","5":"new 5"}
keys of the caller's array mean nothing
"nothing" -> {"z":"new z","a":"new a"}
"nothing" -> []
"nothing" -> {"a":"new a","z":"new z"}
the callback's array: any order, more keys, references, fewer keys
["a","b","c","5"] -> {"a":"by reference","b":null,"c":null,"5":"five"}
bool(false)
bool(false)
NULL
string(4) "five"
what was missing is no failure: another is elected at once
["b"] -> {"b":null,"c":null}
NULL
NULL
its TTL
["t"] -> {"t":"new t"}
33

--TEST--
Changing a near value never changes what later reads return
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Woken
{
    public static int $times = 0;
    public int $number = 1;
    public function __wakeup(): void
    {
        self::$times++;
    }
}

$server = start_memcached();
$cache = new Cache(new Pool($server->address, serializer: McPatterns\Serializer::Php), near: 60);
$cache->set('array', ['a' => [1, 2], 'b' => 'text']);
foreach (range(1, 3) as $i) {
    $array = $cache->get('array');
    $array['a'][] = 3;
    foreach ($array as &$element) {
        $element = null;
    }
    unset($element);
    echo json_encode($cache->get('array')), "\n";
}
$text = $cache->getMultiple(['array'])['array']['b'];
$text[0] = 'T';
echo json_encode($cache->peek('array')), "\n";

$shared = 1;
$cache->set('references', [&$shared, &$shared]);
$first = $cache->get('references');
$first[0] = 5;
echo json_encode($cache->get('references')), "\n";

$cache->set('object', new Woken());
$object = $cache->get('object');
$object->number = 2;
var_dump($cache->get('object')->number, $cache->get('object') === $cache->get('object'), Woken::$times, $cache->stats()['near'] > 5);

echo "every kind\n";
foreach ([null, false, true, 5, 0.5, '', 'text', str_repeat('long', 100_000), [], [[[]]], NAN] as $i => $value) {
    $cache->set("k$i", $value);
    $answers = [$cache->get("k$i"), $cache->get("k$i"), $cache->entry("k$i")->value, $cache->getMultiple(["k$i"])["k$i"], $cache->remember("k$i", 10, fn () => 'computed')];
    foreach ($answers as $answer) {
        if (serialize($answer) !== serialize($value)) {
            echo "$i: ";
            var_dump($answer);
        }
    }
}
echo "many\n";
for ($i = 0; $i < 2000; $i++) {
    $cache->set("many$i", str_repeat(chr(65 + $i % 26), 3000));
}
$wrong = 0;
for ($i = 0; $i < 4000; $i++) {
    $wrong += $cache->get('many' . $i % 2000) !== str_repeat(chr(65 + $i % 2000 % 26), 3000);
}
var_dump($wrong, memory_get_usage() < 16 << 20);
?>
--EXPECT--
{"a":[1,2],"b":"text"}
{"a":[1,2],"b":"text"}
{"a":[1,2],"b":"text"}
{"a":[1,2],"b":"text"}
[1,1]
int(1)
bool(false)
int(4)
bool(true)
every kind
many
int(0)
bool(true)

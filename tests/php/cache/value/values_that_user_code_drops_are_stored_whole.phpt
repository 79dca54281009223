--TEST--
A value is stored whole if __serialize() destroys or replaces it
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

class Dropper
{
    public static ?Closure $drop = null;
    public static array $filled = [];

    public function __serialize(): array
    {
        (self::$drop)();
        for ($i = 0; $i < 50; $i++) {
            self::$filled[] = [str_repeat('x', $i), $i, [$i => $i]];
        }
        return ['dropper'];
    }

    public function __unserialize(array $data): void
    {
    }
}

$cache = new Cache(new Pool('memory://dropped'));
$ways = [
    'setMultiple' => fn (&$value) => $cache->setMultiple(['k' => &$value, 'other' => 1]),
    'setMultiple, dropped by another' => fn (&$value) => $cache->setMultiple(['first' => new Dropper, 'k' => &$value]),
    'set' => fn (&$value) => $cache->set('k', $value),
    'set within' => fn (&$value) => $cache->set('k', ['in' => [&$value, &$value]]),
    'update' => fn (&$value) => $cache->update('k', function & () use (&$value) { return $value; }),
    'remember' => fn (&$value) => $cache->remember('k', null, function & () use (&$value) { return $value; }),
    'rememberMany' => function (&$value) use ($cache) {
        return $cache->rememberMany(['k'], null, function () use (&$value) {
            $all = ['k' => &$value];
            return $all;
        });
    },
];
foreach ($ways as $name => $store) {
    foreach (['drop' => null, 'replace' => [1, 2, 3], 'empty' => []] as $change => $replacement) {
        $cache->deleteMultiple(['k', 'first', 'other']);
        $value = [new Dropper, str_repeat('a', 3), [1, ['deep' => str_repeat('b', 3)]], 4.5];
        Dropper::$filled = [];
        Dropper::$drop = function () use (&$value, $replacement) { $value = $replacement; };
        $store($value);
        $stored = $cache->get('k');
        $stored = $name === 'set within' ? $stored['in'][1] ?? $stored : $stored;
        $is_whole = is_array($stored) && $stored[0] instanceof Dropper && array_slice($stored, 1) === ['aaa', [1, ['deep' => 'bbb']], 4.5];
        $is_whole || print("$name, $change: " . json_encode($stored) . "\n");
    }
    unset($value);
}

echo "the text is that of serialize()\n";
Dropper::$drop = function () {};
$one = [1, ['x' => new Dropper]];
$two = ['a' => &$one, 'b' => &$one, 'c' => $one, 7 => [&$one[1], &$one[1]]];
$two['itself'] = &$two;
$shared = [$two, $two, [&$two['c'], 'c' => &$two['c']]];
$sparse = [5 => 'x', 3 => &$one, '' => &$two];
foreach ([$one, $two, $shared, $sparse, [&$sparse, $sparse]] as $i => $value) {
    $cache->set('k', $value);
    $kept = serialize($cache->get('k'));
    echo $i, ': ', json_encode([McPatterns\Key::md5($value) === md5(serialize($value)), $kept === serialize(unserialize(serialize($value)))]), "\n";
}
Dropper::$drop = function () use (&$value) { $value = null; };
$make = fn () => [new Dropper, [str_repeat('a', 3)]];
$value = $make();
$dropped = McPatterns\Key::md5([&$value, 'after']);
$value = $make();
Dropper::$drop = function () {};
var_dump($dropped === McPatterns\Key::md5([&$value, 'after']));
?>
--EXPECT--
the text is that of serialize()
0: [true,true]
1: [true,true]
2: [true,true]
3: [true,true]
4: [true,true]
bool(true)

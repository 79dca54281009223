--TEST--
Prefetched values are decoded when they are read, and their code can do anything (P18)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Value
{
    public static int $decoded = 0;
    public static ?Closure $code = null;
    public array $data = [];

    public function __serialize(): array { return [1]; }
    public function __unserialize(array $data): void
    {
        self::$decoded++;
        $this->data = $data;
        if (self::$code !== null) {
            (self::$code)();
        }
    }
}

$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
$make = fn (): Cache => new Cache($pool, 'p.', ttl: 100);
$make()->setMultiple(['o' => new Value(), 'a' => ['list' => [1, 2]], 'nested' => [new Value()], 'x' => 1]);

$cache = $make();
$cache->prefetch(['o', 'a', 'nested']);
echo 'decoded by prefetch: ', Value::$decoded, "\n";
$first = $cache->get('o');
$second = $cache->get('o');
var_dump($first == $second, $first !== $second, Value::$decoded);
$array = $cache->get('a');
$array['list'][] = 3;
var_dump(count($cache->get('a')['list']), $cache->get('nested')[0] !== $cache->get('nested')[0]);

$codes = [
    'the request ends' => fn () => Pool::endRequest(),
    'the key is changed' => fn () => $cache->set('o', 'changed'),
    'the key is deleted and prefetched' => function () use ($cache) { $cache->delete('o'); $cache->prefetch(['o', 'x']); },
    'much is prefetched' => fn () => $cache->prefetch(range(1, 2000)),
    'it throws' => fn () => throw new RuntimeException('no'),
];
foreach ($codes as $name => $code) {
    $make()->set('o', new Value());
    $cache = $make();
    $cache->prefetch(['o', 'a']);
    Value::$code = function () use ($code, $cache) { Value::$code = null; $code(); };
    $read = $cache->get('o', 'a miss');
    echo "$name: ", is_object($read) ? get_class($read) : $read, ', ', json_encode($cache->get('a')), "\n";
}
foreach (['get', 'peek', 'has', 'entry'] as $method) {
    $make()->set('o', new Value());
    $cache = $make();
    $cache->prefetch(['o']);
    Value::$code = function () { throw new RuntimeException('always'); };
    $read = $cache->$method('o');
    echo "$method of a value that throws: ", json_encode($read instanceof McPatterns\Entry ? $read->value : $read), ", unreadable: {$cache->stats()['unreadable']}\n";
}
var_dump($cache->getMultiple(['o', 'x']));
Value::$code = null;

/* Limits: 1,000 values, 8 MiB; what is beyond is read when it is asked for. */
$many = [];
for ($i = 0; $i < 1200; $i++) {
    $many["m$i"] = "value $i";
}
$make()->setMultiple($many);
$cache = $make();
$cache->prefetch(array_keys($many));
var_dump($cache->getMultiple(array_keys($many)) === $many, $cache->stats()['near']);
$large = array_fill_keys(['l0', 'l1', 'l2', 'l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'l9'], random_bytes(900000));
$make()->setMultiple($large);
$cache = $make();
$cache->prefetch(array_keys($large));
var_dump($cache->getMultiple(array_keys($large)) === $large, $cache->stats()['near']);

$cache = $make();
$cache->prefetch((function () use ($cache) {
    yield 'o';
    $cache->prefetch(['x']);
    yield 'x';
})());
var_dump($cache->get('x'), $cache->stats()['near']);

/* An exit while the value is decoded. */
Value::$code = function () { echo "the end\n"; exit; };
$cache->get('o');
echo 'not reached';
?>
--EXPECT--
decoded by prefetch: 0
bool(true)
bool(true)
int(2)
int(2)
bool(true)
the request ends: Value, {"list":[1,2]}
the key is changed: Value, {"list":[1,2]}
the key is deleted and prefetched: Value, {"list":[1,2]}
much is prefetched: Value, {"list":[1,2]}
it throws: Value, {"list":[1,2]}
get of a value that throws: null, unreadable: 1
peek of a value that throws: null, unreadable: 1
has of a value that throws: false, unreadable: 1
entry of a value that throws: null, unreadable: 1
array(2) {
  ["o"]=>
  NULL
  ["x"]=>
  int(1)
}
bool(true)
int(1000)
bool(true)
int(9)
int(1)
int(1)
the end

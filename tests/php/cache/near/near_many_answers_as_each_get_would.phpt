--TEST--
getMultiple() of a near Cache returns what get() of each key returns
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$near = new Cache($pool, near: 60);
$asked = new Cache($pool);
$values = ['int' => 1, 'string' => 'one', 'array' => ['a' => [1, 2]], 'null' => null, 'float' => 1.5, '7' => 'a number', 'object' => new ArrayObject([1]), 'empty' => ''];
$names = [...array_keys($values), 'none', 'gone'];
mt_srand(1);
$wrong = 0;
for ($round = 0; $round < 300; $round++) {
    foreach ($values as $name => $value) {
        match (mt_rand(0, 7)) {
            0 => (new Cache($pool, near: 60))->set((string) $name, $value, 100),
            1 => $asked->set((string) $name, [$round, $value], 100),
            2 => $asked->delete((string) $name),
            3 => $near->get((string) $name),
            4 => (new Cache($pool, near: 60))->get((string) $name),
            default => null,
        };
    }
    shuffle($names);
    $keys = array_slice($names, 0, mt_rand(1, count($names)));
    if ($round % 3 === 0) {
        $keys[] = $keys[0];
    }
    $seen = $near->getMultiple(new ArrayIterator($keys), 'nothing');
    $each = [];
    foreach ($keys as $key) {
        $each[$key] = $asked->get((string) $key, 'nothing');
    }
    $wrong += serialize($seen) !== serialize($each);
}
echo 'wrong ', $wrong, ' of ', $round, "\n";

echo "all in the memo: each is counted\n";
$all = array_map(strval(...), range(100, 140));
$all = array_map(fn (string $n): string => "k$n", $all);
$near->setMultiple(array_fill_keys($all, 'v'), 100);
$near->getMultiple($all);
$near->getMultiple($all);
$before = $near->stats();
var_dump($near->getMultiple($all) === array_fill_keys($all, 'v'));
$after = $near->stats();
var_dump($after['hits'] - $before['hits'] === count($all), $after['near'] - $before['near'] === count($all));

echo "what has ended is not among it\n";
Clock::freeze(time());
$short = new Cache(new Pool('memory://many'), near: 60);
$short->setMultiple(['a' => 1, 'b' => 2], 10);
$short->set('c', 3, 100);
$short->getMultiple(['a', 'b', 'c']);
Clock::advance(20);
echo json_encode($short->getMultiple(['a', 'b', 'c'])), "\n";
?>
--EXPECT--
wrong 0 of 300
all in the memo: each is counted
bool(true)
bool(true)
bool(true)
what has ended is not among it
{"a":null,"b":null,"c":3}

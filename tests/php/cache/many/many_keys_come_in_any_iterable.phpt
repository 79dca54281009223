--TEST--
Methods for many keys accept any iterable and rethrow its exceptions
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Keys implements IteratorAggregate
{
    public function __construct(private iterable $keys) {}
    public function getIterator(): Traversable
    {
        yield from $this->keys;
    }
}
function many(mixed ...$pairs): Generator
{
    foreach ($pairs as [$key, $value]) {
        yield $key => $value;
    }
}
function failing(mixed ...$pairs): Generator
{
    yield from many(...$pairs);
    throw new DomainException('in the middle');
}

$server = start_memcached();
foreach ([$server->address, 'memory://iterables'] as $address) {
    $cache = new Cache(new Pool($address));
    echo "generators, aggregates, array iterators\n";
    var_dump($cache->setMultiple(many(['a', 1], ['b', 2], [3, 'three'], ['a', 'again'], ['05', 5])));
    $keys = ['b', 'a', 3, '3', '05', 'absent'];
    foreach ([$keys, new ArrayIterator($keys), new Keys($keys), new Keys(new Keys($keys)), many(...array_map(null, [[], 1.5, 1, 2, null, 'x'], $keys))] as $iterable) {
        echo json_encode($cache->getMultiple($iterable, '-')), "\n";
    }
    echo json_encode($cache->rememberMany(new ArrayIterator(['b', 'c', 9]), 60, fn ($missing) => array_fill_keys($missing, 'new'))), "\n";
    var_dump($cache->expireMultiple(new Keys(['a', 9])), $cache->get('9', 'elected'), $cache->deleteMultiple(new Keys([3, '05'])));
    echo json_encode($cache->getMultiple(many([0, '3'], [0, 'a'], [0, 'a']))), "\n";
    echo json_encode([$cache->getMultiple(many()), $cache->setMultiple(many()), $cache->deleteMultiple(new ArrayIterator([]))]), "\n";

    echo "what throws in the middle\n";
    $cache->setMultiple(['a' => 'kept', 'b' => 'kept']);
    foreach ([
        fn () => $cache->setMultiple(failing(['a', 1], ['new', 1])),
        fn () => $cache->deleteMultiple(failing([0, 'a'])),
        fn () => $cache->expireMultiple(failing([0, 'a'])),
        fn () => $cache->getMultiple(failing([0, 'a'])),
        fn () => $cache->rememberMany(failing([0, 'cold']), 60, fn () => exit('computed')),
        fn () => $cache->setMultiple(many(['a', 1], [1.5, 2])),
        fn () => $cache->setMultiple(many(['a', 1], [null, 2])),
        fn () => $cache->setMultiple(many(['a', 1], ['', 2])),
        fn () => $cache->setMultiple(['a' => 1, '' => 2]),
        fn () => $cache->setMultiple(many(['a', 1], [[], 2])),
        fn () => $cache->getMultiple(many([0, 'a'], [0, 1.5])),
        fn () => $cache->deleteMultiple(many([0, 'a'], [0, ''])),
        fn () => $cache->rememberMany(new Keys(['a', null]), 60, fn () => exit('computed')),
        fn () => $cache->getMultiple('a'),
        fn () => $cache->setMultiple(new stdClass),
    ] as $call) {
        try {
            $call();
            echo "nothing thrown\n";
        } catch (Throwable $exception) {
            echo get_class($exception), ': ', $exception->getMessage(), "\n";
        }
    }
    echo json_encode($cache->getMultiple(['a', 'b', 'new', 'cold'])), ' ', $cache->stats()['elected'], "\n";

    echo "an iterator that uses the same Cache\n";
    $nested = function () use ($cache) {
        yield 'outer' => $cache->remember('inner', 60, fn () => 'inner');
        $cache->setMultiple((function () use ($cache) {
            yield 'a' => $cache->get('b');
        })());
        yield 'b' => $cache->get('a') . ' by a';
    };
    var_dump($cache->setMultiple($nested()));
    echo json_encode($cache->getMultiple(['outer', 'inner', 'a', 'b'])), "\n";
}

echo "values that their own code changes later\n";
final class Changer
{
    public function __construct(private Closure $change) {}
    public function __serialize(): array
    {
        ($this->change)();
        return [];
    }
    public function __unserialize(array $data): void {}
}
$values = ['changer' => null, 'after' => str_repeat('x', 40), 'list' => [str_repeat('y', 40)]];
$values['after'] = &$after;
$after = str_repeat('x', 4);
$values['changer'] = new Changer(function () use (&$values, &$after) {
    $after = [1];
    $values = [];
});
var_dump($cache->setMultiple($values), $cache->get('after'), strlen($cache->get('list')[0]));
?>
--EXPECT--
generators, aggregates, array iterators
bool(true)
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"c":"new","9":"new"}
bool(true)
string(7) "elected"
bool(true)
{"3":null,"a":null}
[[],true,true]
what throws in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, float found
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, null found
ValueError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must not contain an empty key
ValueError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must not contain an empty key
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, array found
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be a list of strings, float found
ValueError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must not contain an empty key
TypeError: McPatterns\Cache::rememberMany(): Argument #1 ($keys) must be a list of strings, null found
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be of type Traversable|array, string given
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must be of type Traversable|array, stdClass given
{"a":"kept","b":"kept","new":null,"cold":null} 4
an iterator that uses the same Cache
bool(true)
{"outer":"inner","inner":"inner","a":"kept","b":"kept by a"}
generators, aggregates, array iterators
bool(true)
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"a":"again","3":"three","05":5,"absent":"-"}
{"b":2,"c":"new","9":"new"}
bool(true)
string(7) "elected"
bool(true)
{"3":null,"a":null}
[[],true,true]
what throws in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
DomainException: in the middle
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, float found
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, null found
ValueError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must not contain an empty key
ValueError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must not contain an empty key
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must have only string keys, array found
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be a list of strings, float found
ValueError: McPatterns\Cache::deleteMultiple(): Argument #1 ($keys) must not contain an empty key
TypeError: McPatterns\Cache::rememberMany(): Argument #1 ($keys) must be a list of strings, null found
TypeError: McPatterns\Cache::getMultiple(): Argument #1 ($keys) must be of type Traversable|array, string given
TypeError: McPatterns\Cache::setMultiple(): Argument #1 ($values) must be of type Traversable|array, stdClass given
{"a":"kept","b":"kept","new":null,"cold":null} 4
an iterator that uses the same Cache
bool(true)
{"outer":"inner","inner":"inner","a":"kept","b":"kept by a"}
values that their own code changes later
bool(true)
string(4) "xxxx"
int(40)

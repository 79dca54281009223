--TEST--
Cache::setMultiple() stores all storable values, then throws for the others (C18)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Refuser
{
    public function __construct(private Throwable $reason) {}
    public function __serialize(): array
    {
        throw $this->reason;
    }
}
final class Leaver
{
    public function __serialize(): array
    {
        exit("exit\n");
    }
}

function store(Cache $cache, iterable $values): void
{
    $cache->deleteMultiple(['a', 'b', 'c', 'd', 'e', 'f', 7]);
    $cache->setMultiple(['b' => 'old', 'd' => 'old']);
    try {
        var_dump($cache->setMultiple($values, 60));
    } catch (Throwable $exception) {
        for ($e = $exception; $e !== null; $e = $e->getPrevious()) {
            echo get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
    echo json_encode($cache->getMultiple(['a', 'b', 'c', 'd', 'e', 'f', 7], '-')), "\n";
}

$server = start_memcached();
$large = random_bytes(2 << 20);
foreach ([$server->address, 'memory://many'] as $address) {
    $cache = new Cache(new Pool($address));
    echo "one of each kind in the middle\n";
    store($cache, ['a' => 1, 'b' => $large, 'c' => 3, 'd' => fn () => 1, 'e' => 5, 'f' => STDIN, 7 => 'seven']);
    echo "from a generator\n";
    store($cache, (function () use ($large) {
        yield 'a' => fn () => 1;
        yield 'b' => 2;
        yield 'c' => new Refuser(new DomainException('mine'));
        yield 7 => $large;
        yield 'f' => 6;
    })());
    echo "what user code throws, with a cause of its own, and twice the same\n";
    $mine = new DomainException('mine', 0, new LogicException('cause'));
    store($cache, ['a' => new Refuser($mine), 'b' => new Refuser($mine), 'c' => 3, 'd' => STDIN]);
    $same = new DomainException('same');
    store($cache, ['a' => new Refuser($same), 'b' => new Refuser($same), 'c' => 3, 'd' => new Refuser($same)]);
    echo "all\n";
    store($cache, ['a' => STDIN]);
}
echo "at most 100\n";
try {
    $cache->setMultiple(array_fill(0, 10000, STDIN) + ['last' => 1]);
} catch (TypeError $exception) {
    for ($count = 0, $e = $exception; $e !== null; $e = $e->getPrevious()) {
        $last = $e;
        $count++;
    }
    echo $count, ' ', $exception->getMessage(), "\n... ", $last->getMessage(), "\n";
}
var_dump($cache->get('last'));

echo "an exit stores nothing\n";
register_shutdown_function(function () use ($cache) {
    echo json_encode($cache->getMultiple(['before', 'after'])), "\n";
});
$cache->setMultiple(['before' => 1, 'bad' => STDIN, 'exit' => new Leaver, 'after' => 2]);
?>
--EXPECT--
one of each kind in the middle
McPatterns\NotSerializableException: Cannot store the value of "d": not serializable: Serialization of 'Closure' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "f": not serializable: the value contains a resource
McPatterns\TooLargeException: Cannot store the value of "b": it is larger than memcached's limit of 1 MiB
{"a":1,"b":"old","c":3,"d":"old","e":5,"f":"-","7":"seven"}
from a generator
McPatterns\NotSerializableException: Cannot store the value of "a": not serializable: Serialization of 'Closure' is not allowed
DomainException: mine
McPatterns\TooLargeException: Cannot store the value of "7": it is larger than memcached's limit of 1 MiB
{"a":"-","b":2,"c":"-","d":"old","e":"-","f":6,"7":"-"}
what user code throws, with a cause of its own, and twice the same
DomainException: mine
LogicException: cause
{"a":"-","b":"old","c":3,"d":"old","e":"-","f":"-","7":"-"}
DomainException: same
{"a":"-","b":"old","c":3,"d":"old","e":"-","f":"-","7":"-"}
all
McPatterns\NotSerializableException: Cannot store the value of "a": not serializable: the value contains a resource
{"a":"-","b":"old","c":"-","d":"old","e":"-","f":"-","7":"-"}
one of each kind in the middle
McPatterns\NotSerializableException: Cannot store the value of "d": not serializable: Serialization of 'Closure' is not allowed
McPatterns\NotSerializableException: Cannot store the value of "f": not serializable: the value contains a resource
McPatterns\TooLargeException: Cannot store the value of "b": it is larger than memcached's limit of 1 MiB
{"a":1,"b":"old","c":3,"d":"old","e":5,"f":"-","7":"seven"}
from a generator
McPatterns\NotSerializableException: Cannot store the value of "a": not serializable: Serialization of 'Closure' is not allowed
DomainException: mine
McPatterns\TooLargeException: Cannot store the value of "7": it is larger than memcached's limit of 1 MiB
{"a":"-","b":2,"c":"-","d":"old","e":"-","f":6,"7":"-"}
what user code throws, with a cause of its own, and twice the same
DomainException: mine
LogicException: cause
{"a":"-","b":"old","c":3,"d":"old","e":"-","f":"-","7":"-"}
DomainException: same
{"a":"-","b":"old","c":3,"d":"old","e":"-","f":"-","7":"-"}
all
McPatterns\NotSerializableException: Cannot store the value of "a": not serializable: the value contains a resource
{"a":"-","b":"old","c":"-","d":"old","e":"-","f":"-","7":"-"}
at most 100
100 Cannot store the value of "0": not serializable: the value contains a resource
... Cannot store the value of "99": not serializable: the value contains a resource
int(1)
an exit stores nothing
exit
{"before":null,"after":null}

--TEST--
An iterator of keys may destroy its source, suspend, recurse or exit
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

/** Answers each key and value from properties that it changes as it goes. */
final class Restless implements Iterator
{
    private mixed $key = null, $value = null;
    public function __construct(private array $keys, private ?Closure $between = null) {}
    public function rewind(): void { reset($this->keys); }
    public function valid(): bool { return key($this->keys) !== null; }
    public function current(): mixed
    {
        $this->value = str_repeat('v', 10) . current($this->keys);
        return $this->value;
    }
    public function key(): mixed
    {
        $this->value = null;
        return $this->key = 'k' . current($this->keys);
    }
    public function next(): void
    {
        $this->key = $this->value = null;
        next($this->keys);
        $this->between && ($this->between)();
    }
}
final class Last
{
    private ?string $what = null;
    public function __construct(string $what) { $this->what = $what; }
    public function __destruct() { $this->what === null || throw new DomainException($this->what); }
    public function __serialize(): array { return []; }
    public function __unserialize(array $data): void {}
}
function told(callable $call): string
{
    try {
        return json_encode($call());
    } catch (Throwable $exception) {
        return get_class($exception) . ': ' . $exception->getMessage();
    }
}

$server = start_memcached();
foreach ([$server->address, 'memory://restless'] as $address) {
    $pool = new Pool($address);
    $cache = new Cache($pool);
    echo told(fn () => $cache->setMultiple(new Restless([1, 2, 3], $pool->close(...)))), ' ', told(fn () => $cache->getMultiple(['k1', 'k2', 'k3'])), "\n";
    echo told(fn () => $cache->getMultiple(new Restless([1, 2], function () use ($cache) { $cache->delete('k1'); }))), "\n";

    $made = null;
    $dropping = function () use (&$made, &$cache) {
        $made = null;
        $cache = null;
        yield 'dropped' => 'value';
    };
    $made = $dropping();
    $kept = $cache;
    echo told(fn () => $cache->setMultiple($made)), ' ', told(fn () => $kept->get('dropped')), "\n";
    $cache = $kept;

    $suspending = function () {
        yield 'first';
        yield Fiber::suspend();
    };
    $cache->setMultiple(['first' => 1, 'second' => 2]);
    $fiber = new Fiber(fn () => told(fn () => $cache->getMultiple($suspending())));
    $fiber->start();
    $cache->set('first', 'newer');
    $fiber->resume('second');
    echo $fiber->getReturn(), "\n";
    $dropped = new Fiber(fn () => $cache->deleteMultiple($suspending()));
    $dropped->start();
    unset($dropped);
    gc_collect_cycles();
    echo told(fn () => $cache->getMultiple(['first', 'second'])), "\n";

    echo told(fn () => $cache->setMultiple((function () { yield 'a' => 1; yield 'a' => new Last('the later one'); yield 'a' => 2; })())), ' ', told(fn () => $cache->get('a')), "\n";
    echo told(fn () => $cache->setMultiple((function () { yield 'b' => new Last('after it was stored'); })())), ' ', told(fn () => $cache->has('b')), "\n";
}
register_shutdown_function(function () use ($cache) {
    echo "\n", told(fn () => $cache->getMultiple(['before', 'first'])), "\n";
});
$cache->setMultiple((function () { yield 'before' => 1; exit('exit'); })());
?>
--EXPECT--
true {"k1":"vvvvvvvvvv1","k2":"vvvvvvvvvv2","k3":"vvvvvvvvvv3"}
{"vvvvvvvvvv1":null,"vvvvvvvvvv2":null}
true "value"
{"first":"newer","second":2}
{"first":"newer","second":2}
DomainException: the later one null
DomainException: after it was stored true
true {"k1":"vvvvvvvvvv1","k2":"vvvvvvvvvv2","k3":"vvvvvvvvvv3"}
{"vvvvvvvvvv1":null,"vvvvvvvvvv2":null}
true "value"
{"first":"newer","second":2}
{"first":"newer","second":2}
DomainException: the later one null
DomainException: after it was stored true
exit
{"before":null,"first":"newer"}

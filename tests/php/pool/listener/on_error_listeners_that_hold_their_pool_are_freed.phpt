--TEST--
Pool::onError(): listeners that hold their Pool, or what was made on it, are freed by the garbage collector
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, OnlineCounter, Pool};

final class Witness
{
    public function __destruct()
    {
        echo "freed\n";
    }
}

function make_cycle(string $class): void
{
    $pool = new Pool('memory://m');
    $object = $class === Pool::class ? $pool : new $class($pool, 'name');
    $witness = new Witness();
    $pool->onError(function () use ($object, $witness) {
    });
}

function make_cycle_of_a_callable(): void
{
    $pool = new Pool('memory://m');
    $counter = new Counter($pool, 'name', fn () => $GLOBALS);
    $holder = new class($pool, $counter) {
        public Witness $witness;

        public function __construct(public Pool $pool, public Counter $counter)
        {
            $this->witness = new Witness();
            $pool->onError([$this, 'hear']);
        }

        public function hear(): void
        {
        }
    };
}

foreach ([Pool::class, Cache::class, Lock::class, Counter::class, OnlineCounter::class] as $class) {
    echo $class, ': ';
    make_cycle($class);
    gc_collect_cycles();
}
echo 'a method: ';
make_cycle_of_a_callable();
gc_collect_cycles();

echo "a cache outlives its Pool object, and the listener with it\n";
function make_cache(): Cache
{
    $pool = new Pool('unix:///nowhere/memcached.sock');
    $witness = new Witness();
    $pool->onError(function (string $message) use ($witness) {
        echo "told\n";
    });
    return new Cache($pool);
}
$cache = make_cache();
gc_collect_cycles();
$cache->get('k');
unset($cache);

echo "the end of the script frees the rest\n";
make_cycle(Lock::class);
?>
--EXPECT--
McPatterns\Pool: freed
McPatterns\Cache: freed
McPatterns\Lock: freed
McPatterns\Counter: freed
McPatterns\OnlineCounter: freed
a method: freed
a cache outlives its Pool object, and the listener with it
told
freed
the end of the script frees the rest
freed

--TEST--
The garbage collector frees Pool::onError() listeners that hold their Pool
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Audit, Cache, Counter, EventLog, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, SessionHandler, Table, UniqueVisitors};

final class Witness
{
    public function __destruct()
    {
        echo "freed\n";
    }
}

function make(string $class, Pool $pool): object
{
    return match ($class) {
        Pool::class => $pool,
        'a view' => (new Cache($pool, 'name'))->tagged('tag'),
        'a view of a view' => (new Cache($pool, 'name', near: 1))->tagged('tag')->tagged('other'),
        Audit::class => new Audit(new Cache($pool), 1.0, fn (): bool => $pool->ping()),
        'an Audit of a view' => new Audit((new Cache($pool))->tagged('tag'), 1.0),
        Semaphore::class => new Semaphore($pool, 'name', 2),
        RateLimiter::class => new RateLimiter($pool, 'name', 2, 60),
        SessionHandler::class => new SessionHandler($pool),
        default => new $class($pool, 'name'),
    };
}

function make_cycle(string $class): void
{
    $pool = new Pool('memory://m');
    $object = make($class, $pool);
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

$classes = [Pool::class, Cache::class, 'a view', 'a view of a view', Audit::class, 'an Audit of a view', Lock::class, Semaphore::class, Counter::class, OnlineCounter::class,
    RateLimiter::class, MemberSet::class, EventLog::class, Table::class, UniqueVisitors::class, SessionHandler::class];
foreach ($classes as $class) {
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
a view: freed
a view of a view: freed
McPatterns\Audit: freed
an Audit of a view: freed
McPatterns\Lock: freed
McPatterns\Semaphore: freed
McPatterns\Counter: freed
McPatterns\OnlineCounter: freed
McPatterns\RateLimiter: freed
McPatterns\MemberSet: freed
McPatterns\EventLog: freed
McPatterns\Table: freed
McPatterns\UniqueVisitors: freed
McPatterns\SessionHandler: freed
a method: freed
a cache outlives its Pool object, and the listener with it
told
freed
the end of the script frees the rest
freed

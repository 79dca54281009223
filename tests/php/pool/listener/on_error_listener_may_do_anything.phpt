--TEST--
Pool::onError() listeners can throw, use the Cache, and suspend
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Lock, Pool, ServerException};

require __DIR__ . '/../../../_support/told.inc';

$down = 'unix:///nowhere/memcached.sock';
$names = [$down => 'down'];
$pool = new Pool($down, retryAfter: 0);
$cache = new Cache($pool);
Clock::freeze();

echo "throws: where the operation was called\n";
$pool->onError(fn ($message) => throw new DomainException('from the listener'));
try {
    $cache->get('k');
    echo "  never\n";
} catch (DomainException $exception) {
    echo '  ', $exception->getMessage(), "\n";
}
echo "throws beside the operation's exception\n";
Clock::advance(1);
try {
    (new Lock($pool, 'l'))->acquire();
    echo "  never\n";
} catch (DomainException $exception) {
    echo '  ', $exception->getMessage(), ' after ', get_class($exception->getPrevious()), "\n";
}
echo "throws and catches inside\n";
Clock::advance(1);
$pool->onError(function ($message) {
    try {
        throw new DomainException();
    } catch (DomainException) {
        echo "  told\n";
    }
});
try {
    (new Lock($pool, 'l'))->acquire();
} catch (ServerException $exception) {
    echo '  ', get_class($exception), ' at line ', $exception->getLine() - __LINE__, "\n";
} finally {
    echo "  finally\n";
}

echo "uses the same Cache: what fails there is not told\n";
Clock::advance(1);
$pool->onError(function ($message) use ($cache, $pool) {
    Clock::advance(1);
    var_dump($cache->get('k'), $cache->getMultiple(['a'])['a'], $cache->set('k', 1));
    $pool->close();
});
$cache->get('k');

echo "sets another one, which hears of the next failure\n";
Clock::advance(1);
$pool->onError(function ($message) use ($pool, $names) {
    echo "  the first\n";
    $pool->onError(show_what_is_told($names));
});
$cache->get('k');
$cache->get('k');

echo "sets none\n";
Clock::advance(1);
$pool->onError(function ($message) use ($pool) {
    echo "  the last\n";
    $pool->onError(null);
});
$cache->get('k');
$cache->get('k');

echo "suspends its Fiber\n";
Clock::advance(1);
$pool->onError(function ($message) {
    echo '  resumed with ' . Fiber::suspend('suspended') . "\n";
});
$fiber = new Fiber(function () use ($cache) {
    echo '  get: ' . var_export($cache->get('k'), true) . "\n";
});
echo '  ', $fiber->start(), "\n";
Clock::advance(1);
$cache->get('another');
echo "  meanwhile\n";
$fiber->resume('a value');

echo "a Fiber that is dropped\n";
Clock::advance(1);
$fiber = new Fiber(fn () => $cache->get('k'));
$fiber->start();
unset($fiber);
$pool->onError(show_what_is_told($names));
$cache->get('k');

echo "called by the engine\n";
Clock::advance(1);
array_map([$cache, 'get'], ['k']);
echo "  mapped\n";

echo "the last reference goes with the statement\n";
(function () use ($down, $names) {
    $pool = new Pool($down);
    $pool->onError(show_what_is_told($names));
    return new Cache($pool);
})()->get('k');

echo "methods and functions\n";
final class Listener
{
    public function listenTo(Pool $pool): void
    {
        $pool->onError([$this, 'hear']);
    }

    private function hear(string $message): void
    {
        echo "  a private method\n";
    }

    public function __destruct()
    {
        echo "  gone\n";
    }
}
(new Listener())->listenTo($pool);
Clock::advance(1);
$cache->get('k');
$pool->onError(null);
foreach (['no function', [new stdClass(), 'none'], 5] as $wrong) {
    try {
        $pool->onError($wrong);
    } catch (TypeError $error) {
        echo '  ', $error->getMessage(), "\n";
    }
}

echo "in a destructor and a shutdown function\n";
$pool->onError(show_what_is_told($names));
final class Ending
{
    public function __construct(public Cache $cache)
    {
    }

    public function __destruct()
    {
        Clock::advance(1);
        $this->cache->get('k');
        echo "  destructed\n";
    }
}
new Ending($cache);
$ending = new Ending($cache);
register_shutdown_function(function () use ($cache) {
    Clock::advance(1);
    $cache->get('k');
    echo "  shut down\n";
});
$untold = new Lock($pool, 'l');
Clock::advance(1);
try {
    $untold->acquire();
} catch (ServerException) {
    echo "  caught\n";
}
?>
--EXPECT--
throws: where the operation was called
  from the listener
throws beside the operation's exception
  from the listener after McPatterns\ServerException
throws and catches inside
  told
  McPatterns\ServerException at line -2
  finally
uses the same Cache: what fails there is not told
NULL
NULL
bool(false)
sets another one, which hears of the next failure
  the first
  told: down: the server could not be reached: no such file
sets none
  the last
suspends its Fiber
  suspended
  meanwhile
  resumed with a value
  get: NULL
a Fiber that is dropped
  told: down: the server could not be reached: no such file
called by the engine
  told: down: the server could not be reached: no such file
  mapped
the last reference goes with the statement
  told: down: the server could not be reached: no such file
methods and functions
  a private method
  gone
  McPatterns\Pool::onError(): Argument #1 ($listener) must be a valid callback or null, function "no function" not found or invalid function name
  McPatterns\Pool::onError(): Argument #1 ($listener) must be a valid callback or null, class stdClass does not have a method "none"
  McPatterns\Pool::onError(): Argument #1 ($listener) must be a valid callback or null, no array or string given
in a destructor and a shutdown function
  told: down: the server could not be reached: no such file
  destructed
  told: down: the server could not be reached: no such file
  caught
  told: down: the server could not be reached: no such file
  shut down
  told: down: the server could not be reached: no such file
  destructed

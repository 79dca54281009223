--TEST--
Pool::onError() reports a freed Lock's failed release at the next call
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/told.inc';

function call(mixed ...$arguments): void
{
    echo "called\n";
}

function held_lock_of_a_dead_server(): Lock
{
    $memcached = start_memcached();
    $pool = new Pool($memcached->address);
    $pool->onError(show_what_is_told([$memcached->name => 'dead']));
    $lock = new Lock($pool, 'l');
    $lock->acquire();
    $memcached->kill();
    return $lock;
}

echo "freed by a statement\n";
$lock = held_lock_of_a_dead_server();
unset($lock);
call();

echo "freed by an argument\n";
$lock = held_lock_of_a_dead_server();
call(new ArrayObject([1]), $lock = 2, (fn () => 3)(), 4);
(new Cache(new Pool('memory://m')))->get('k');

echo "freed while an exception passes\n";
try {
    (function () {
        $lock = held_lock_of_a_dead_server();
        throw new Exception('passes');
    })();
} catch (Exception $passing) {
    call();
    echo $passing->getMessage(), "\n";
}
?>
--EXPECT--
freed by a statement
  told: dead: the server could not be reached: connection refused, nothing listens there
called
freed by an argument
  told: dead: the server could not be reached: connection refused, nothing listens there
called
freed while an exception passes
  told: dead: the server could not be reached: connection refused, nothing listens there
called
passes

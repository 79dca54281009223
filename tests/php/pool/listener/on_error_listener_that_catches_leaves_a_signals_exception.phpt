--TEST--
A Pool::onError() listener's catch never hides a signal handler's exception
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Told extends Exception {}
final class Signaled extends Exception {}

function listener(): Closure
{
    return function (): void {
        try {
            throw new Told();
        } catch (Told) {
            echo "told\n";
        }
    };
}

$memcached = start_memcached();
$pool = new Pool($memcached->address);
$pool->onError(listener());
$lock = new Lock($pool, 'l');
$lock->acquire();
$memcached->kill();

pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => throw new Signaled());
pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1]);
posix_kill(getmypid(), SIGUSR1);
try {
    // One interrupt for both: the handler throws, and then the listener is called.
    unset($lock);
    pcntl_sigprocmask(SIG_UNBLOCK, [SIGUSR1]);
    echo "is not reached\n";
} catch (Told) {
    echo "is not caught here\n";
} catch (Signaled $signaled) {
    echo get_class($signaled), "\n";
}
?>
--EXPECT--
told
Signaled

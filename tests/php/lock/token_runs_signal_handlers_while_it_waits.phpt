--TEST--
Signal handlers run while token() waits, and can end wait or hold (L9)
--EXTENSIONS--
mcpatterns
pcntl
posix
--FILE--
<?php
use McPatterns\{Lock, LockLostException, Pool};

require __DIR__ . '/../../_support/serverless.inc';

$server = start_serverless(null, tells_statistics: false);
$pool = new Pool($server->address, connectTimeout: 10, timeout: 10);
pcntl_async_signals(true);
$parent = getmypid();

/** The token can be had in so many seconds, by what is put in the place of what it is counted by. */
function attempt(string $how, float $seconds, callable $handler): void
{
    global $server, $pool, $parent;
    $lock = new Lock($pool, 'job', ttl: 60, skew: 8);
    $number = (string) (int) ((microtime(true) - 8 + $seconds) * 1_000_000);
    $server->memcached->exchange('set lock:~#fence 0 0 ' . strlen($number) . "\r\n$number\r\n");
    $lock->acquire();
    $is_waiting = false;
    pcntl_signal(SIGUSR1, function () use (&$is_waiting, $handler, $lock): void {
        if ($is_waiting) {
            $is_waiting = false; // the next signal may come when the wait has ended
            $handler($lock);
        }
    });
    $child = pcntl_fork();
    if ($child === 0) {
        do {
            usleep(20_000);
        } while (posix_kill($parent, SIGUSR1));
        posix_kill(getmypid(), SIGKILL);
    }
    try {
        $is_waiting = true;
        $answer = $lock->token() > 0 ? 'a token' : 'none';
    } catch (DomainException | LockLostException $thrown) {
        $answer = $thrown->getMessage();
    }
    posix_kill($child, SIGKILL);
    pcntl_waitpid($child, $status);
    pcntl_signal(SIGUSR1, SIG_IGN);
    echo "$how: $answer, ", $lock->isHeld() ? 'held' : 'not held', "\n";
}

attempt('throws', 9, fn () => throw new DomainException('from the handler'));
attempt('releases', 9, fn (Lock $lock) => $lock->release());
$runs = 0;
attempt('counts', 0.2, function () use (&$runs) { $runs++; });
echo $runs > 0 ? "it was run\n" : "it was not run\n";
?>
--EXPECT--
throws: from the handler, held
releases: The lock "job" is not held, not held
counts: a token, held
it was run

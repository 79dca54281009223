--TEST--
A child forked inside run() holds no lock and lost none (L5, L10)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$lock = new Lock(new Pool($server->address, timeout: 10), 'job', ttl: 60, autoRelease: false);
$rival = new Lock(new Pool($server->address, timeout: 10), 'job');

/** Forks inside a run of $lock; $work is the child's, which comes back from the run as the parent does. */
function fork_in_run(callable $work): void
{
    global $lock, $rival;
    flush();
    $result = $lock->run(function () use ($work) {
        $pid = pcntl_fork();
        if ($pid === 0) {
            return 'child ' . json_encode($work());
        }
        pcntl_waitpid($pid, $status);
        return 'parent';
    });
    if ($result !== 'parent') {
        echo $result, ', then holds it: ', json_encode($lock->isHeld()), "\n";
        exit;
    }
    echo '  after the parent: ', $rival->isLocked() ? 'locked' : 'free', "\n";
    $rival->forceRelease();
}

fork_in_run(fn () => null);
fork_in_run(fn () => [$lock->isHeld(), $lock->release(), $lock->refresh(), $lock->acquire()]);
fork_in_run(function () use ($lock, $rival) {
    $rival->forceRelease(); // the parent loses it, as it would by an eviction
    $result = $lock->run(fn (Lock $lock) => $lock->run(fn () => 'ran'));
    return [$result, $rival->isLocked(), $lock->acquire() && $lock->release()];
});
?>
--EXPECTF--
child null, then holds it: false
  after the parent: free
child [false,false,false,false], then holds it: false
  after the parent: free
child ["ran",false,true], then holds it: false

%AFatal error: Uncaught McPatterns\LockLostException: The lock "job" was lost while its callback was running in %a

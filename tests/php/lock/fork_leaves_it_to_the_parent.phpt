--TEST--
A forked child neither holds nor releases its parent's lock (L5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$lock = new Lock(new Pool($server->address, timeout: 10), 'job', ttl: 60);
$lock->acquire();

function in_child(callable $work): void
{
    flush();
    $pid = pcntl_fork();
    if ($pid === 0) {
        $work();
        exit;
    }
    pcntl_waitpid($pid, $status);
}

in_child(function () use ($lock) {
    echo 'the child holds it: ', json_encode($lock->isHeld()), ', released it: ', json_encode($lock->release()),
        ', got it: ', json_encode($lock->acquire()), "\n";
});
in_child(function () { });
in_child(function () use ($lock) { throw new Exception('uncaught'); });
in_child(function () { eval('class Fatal implements Countable {}'); });
$other = new Lock(new Pool($server->address, timeout: 10), 'job');
echo 'the parent holds it: ', json_encode([$lock->isHeld(verify: true), $other->acquire()]), "\n";
$lock->release();

// Both come back from a fork inside the work.
$result = $lock->run(function () {
    flush();
    $pid = pcntl_fork();
    if ($pid === 0) {
        return 'child';
    }
    pcntl_waitpid($pid, $status);
    return 'parent';
});
if ($result === 'child') {
    exit;
}
echo "the $result is back, and the lock is ", $lock->isLocked() ? 'held' : 'free', "\n";

// A child may have what it acquired itself.
$pid = pcntl_fork();
if ($pid === 0) {
    $lock->acquire();
    exit;
}
pcntl_waitpid($pid, $status);
echo 'after the end of a child that acquired it: ', $lock->isLocked() ? 'held' : 'free', "\n";
?>
--EXPECTF--
the child holds it: false, released it: false, got it: false

%AFatal error: Uncaught Exception: uncaught%A
Fatal error: %A
the parent holds it: [true,false]
the parent is back, and the lock is free
after the end of a child that acquired it: free

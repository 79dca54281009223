--TEST--
A detached lock survives its process and that of its restorer (L5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $server->raw('flush_all');
    $pool = fn (float $timeout = 10) => new Pool($server->address, timeout: $timeout, retryAfter: 0, transport: $transport);
    $lock = new Lock($pool(), 'job', ttl: 3600);
    [$owner] = run_workers(1, function () use ($pool) {
        $lock = new Lock($pool(), 'job', ttl: 3600);
        $lock->acquire();
        return $lock->detach();
    });
    echo 'its process has ended: ', json_encode([$lock->currentOwner() === $owner, $lock->acquire()]), "\n";
    preg_match('/^lock1 (\d+) /m', $server->raw('get lock:job'), $end);
    echo 'ends when it was to end: ', json_encode(abs($end[1] / 1000 - time() - 3600) < 60), "\n";

    $worker = new Workers(1, function () use ($pool, $owner) {
        $restored = Lock::restore($pool(), 'job', $owner, ttl: 3600);
        send_signal(getmypid(), SIGNAL_STOP);
    });
    $worker->release();
    wait_for_state($worker->pids[0], 'T');
    echo 'restored: ', json_encode($lock->acquire());
    $worker->kill(0);
    $worker->results();
    echo ', killed then: ', json_encode($lock->acquire()), "\n"; // the next one may restore it
    $lock->forceRelease();

    $lock = new Lock($pool(0.3), 'job', ttl: 3600);
    $lock->acquire();
    $server->freeze();
    try {
        $lock->detach();
    } catch (ServerException $error) {
        echo preg_replace('/".*/', '...', $error->getMessage()), ', held: ', json_encode($lock->isHeld()), "\n";
    }
    $server->thaw();
});
?>
--EXPECT--
its process has ended: [true,false]
ends when it was to end: true
restored: false, killed then: false
Cannot hand over the lock ..., held: true

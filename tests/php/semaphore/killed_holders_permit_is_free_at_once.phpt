--TEST--
A killed process's permit is available immediately on its host (S3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Semaphore, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/actor.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $server->raw('flush_all');
    $semaphore = fn (int $permits = 2, float $timeout = 10) => new Semaphore(
        new Pool($server->address, timeout: $timeout, retryAfter: 0, transport: $transport), "job$permits", $permits, ttl: 3600);
    $holders = new Workers(2, function () use ($semaphore) {
        $held = $semaphore();
        $held->acquire();
        send_signal(getmypid(), SIGNAL_STOP);
    });
    $holders->release();
    foreach ($holders->pids as $pid) {
        wait_for_state($pid, 'T');
    }
    $mine = $semaphore();
    echo 'both held: ', json_encode([$mine->available(), $mine->acquire()]), "\n";
    $holders->kill(0);
    wait_for_state($holders->pids[0], 'Z');
    echo 'one killed: ', json_encode([$mine->available(), $mine->acquire(), $mine->available(), $mine->release()]), "\n";

    $sender = new Actor(function (string $what) use ($semaphore) {
        static $held = null;
        $held ??= $semaphore(1, timeout: 0.3);
        try {
            return $held->$what();
        } catch (ServerException) {
            return 'no answer';
        }
    });
    while ($sender->ask('acquire') !== true || $sender->ask('release') !== true) {
    }
    $server->freeze();
    echo 'frozen: ', $sender->ask('acquire'), "\n";
    $server->thaw();
    // Over libmemcached it looks for a free one first, and has sent nothing.
    while ($transport === Transport::Direct && !str_contains($server->raw('get semaphore:job1:0'), 'VALUE')) {
        usleep(1000);
    }
    $next = $semaphore(1);
    echo 'it goes on: ', json_encode([$next->available(), $next->acquire(), $sender->ask('acquire')]), "\n";
});
?>
--EXPECT--
both held: [0,false]
one killed: [1,true,0,true]
frozen: no answer
it goes on: [1,true,false]

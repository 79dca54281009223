--TEST--
A killed process's lock is available immediately on its host (L5, L11)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Lock, Pool, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $lock = fn (string $name, bool $autoRelease = true) =>
        new Lock(new Pool($server->address, timeout: 10, transport: $transport), $name, ttl: 3600, autoRelease: $autoRelease);
    $server->raw('flush_all');
    $holder = new Workers(1, function () use ($lock) {
        $held = [$lock('released'), $lock('stopped'), $lock('kept', autoRelease: false)];
        array_walk($held, fn (Lock $one) => $one->acquire());
        send_signal(getmypid(), SIGNAL_STOP);
    });
    $holder->release();
    wait_for_state($holder->pids[0], 'T');
    echo 'stopped: ', json_encode([$lock('stopped')->acquire(), $lock('stopped')->isLocked()]), "\n";

    $holder->kill(0);
    wait_for_state($holder->pids[0], 'Z');
    echo 'killed: ', json_encode([$lock('released')->isLocked(), $lock('released')->currentOwner()]);
    $next = $lock('released');
    echo json_encode([$next->acquire(), $lock('released')->acquire(), $next->release()]), "\n";
    echo 'without autoRelease: ', json_encode([$lock('kept')->acquire(), $lock('kept')->isLocked()]), "\n";

    $holder->results();     // by now nothing of the process is left
    $next = $lock('stopped');
    echo 'gone: ', json_encode([$next->acquire(), $lock('stopped')->acquire()]), "\n";
});
?>
--EXPECT--
stopped: [false,true]
killed: [false,null][true,false,true]
without autoRelease: [false,true]
gone: [true,false]

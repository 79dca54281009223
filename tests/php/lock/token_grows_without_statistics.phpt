--TEST--
Fencing tokens grow on a server without statistics despite lost counters (L9)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Clock, Lock, Pool, Semaphore, Transport};

require __DIR__ . '/../../_support/serverless.inc';

Clock::freeze(); // a wait moves it on
$server = start_serverless(null, tells_statistics: false);
foreach (Transport::cases() as $transport) {
    $server->memcached->raw('flush_all');
    $pool = new Pool($server->address, 'shop:', connectTimeout: 10, timeout: 10, transport: $transport);
    $last = $grown = 0;
    for ($i = 1; $i <= 305; $i++) {
        $lock = new Lock($pool, 'job', ttl: 60);
        $lock->acquire() || exit("not acquired\n");
        $token = $lock->token();
        $grown += $token > $last && $lock->token() === $token;
        $last = $token;
        match ($i % 30) {
            0 => $server->memcached->raw('flush_all'),
            10 => $server->memcached->raw('delete shop:lock:~#fence'),
            20 => $server->memcached->raw('delete shop:lock:job'),
            default => null,
        };
        unset($lock);
    }
    echo "$transport->name: $grown of 305 have grown\n";
    $began = Clock::now();
    (new Semaphore($pool, 'jobs', 2, ttl: 60))->run(fn (Semaphore $held) => printf("a permit's too: %s\n", json_encode($held->token() > $last)));
    printf("waited for once: %s\n", json_encode([$began === Clock::now(), $server->memcached->raw('get shop:lock:~#fence') !== "END\r\n"]));
}
?>
--EXPECT--
Libmemcached: 305 of 305 have grown
a permit's too: true
waited for once: [true,true]
Direct: 305 of 305 have grown
a permit's too: true
waited for once: [true,true]

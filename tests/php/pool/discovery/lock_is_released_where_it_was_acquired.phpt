--TEST--
A Lock or Semaphore is released on its server after list changes
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Clock, Lock, Pool, Semaphore, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$servers = [start_memcached(['tcp' => true]), start_memcached(['tcp' => true])];
by_each_transport(function (Transport $transport) use ($servers) {
    $endpoint = start_discovery_endpoint();
    $version = 0;
    $pool = null;
    $move_to = function (int $server) use ($endpoint, $servers, &$version, &$pool, $transport): void {
        $endpoint->tell(++$version, [$servers[$server]->address]);
        $pool ??= new Pool("discover://$endpoint->address", transport: $transport, timeout: 10);
        Clock::advance(60);
        (new Cache($pool))->get('k'); // finds that it is time
    };
    $ends = [
        'release' => fn (&$lock) => $lock->release(),
        'refresh' => fn (&$lock) => $lock->refresh(),
        'isHeld' => fn (&$lock) => $lock->isHeld(verify: true),
        'acquire' => fn (&$lock) => $lock->acquire(),
        'its end' => function (&$lock) { $lock = null; },
    ];
    foreach ($ends as $name => $end) {
        foreach ([Lock::class, Semaphore::class] as $class) {
            $make = fn (Pool $pool) => $class === Lock::class ? new Lock($pool, 'job', INF) : new Semaphore($pool, 'jobs', 1, INF);
            $move_to(0);
            $lock = $make($pool);
            $lock->acquire();
            $move_to(1);
            $answer = $end($lock);
            $left = $make(new Pool($servers[0]->address, transport: $transport, timeout: 10));
            echo substr($class, 11), ", $name: ", json_encode($answer), ', ', $left->acquire() ? 'free' : 'left behind', "\n";
            unset($lock, $left);
        }
    }

    // The list of before is back: all is as it was.
    $move_to(0);
    $lock = new Lock($pool, 'job', INF);
    $lock->acquire();
    $move_to(1);
    $move_to(0);
    echo 'back: ', json_encode([$lock->isHeld(verify: true), $lock->release(), $lock->release()]), "\n";
});
$lock = null;
?>
--EXPECT--
Lock, release: true, free
Semaphore, release: true, free
Lock, refresh: false, free
Semaphore, refresh: false, free
Lock, isHeld: false, free
Semaphore, isHeld: false, free
Lock, acquire: true, free
Semaphore, acquire: true, free
Lock, its end: null, free
Semaphore, its end: null, free
back: [true,true,false]

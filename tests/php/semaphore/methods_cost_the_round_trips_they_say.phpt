--TEST--
Each method of Semaphore costs its documented round trips
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Semaphore, Transport};

require __DIR__ . '/../../_support/round_trips.inc';

$counted = count_round_trips_by_both([start_memcached(), start_memcached()], function (array $addresses, callable $mark, Transport $transport) {
    $pool = new Pool($addresses, transport: $transport);
    $pool->ping();
    ask_for_proofs($pool);
    (new Semaphore($pool, 'export', 2))->run(fn (Semaphore $first) => $first->token()); // asks for the server's start
    $mark('warm up');
    $one = new Semaphore($pool, 'export', 2);
    $two = new Semaphore($pool, 'export', 2);
    $three = new Semaphore($pool, 'export', 2);
    $one->acquire(); $mark('acquire');
    $one->acquire(); $mark('acquire, held');
    $one->refresh(); $mark('refresh');
    $one->permit(); $mark('permit');
    $one->isHeld(); $mark('isHeld');
    $one->isHeld(verify: true); $mark('isHeld, verified');
    $one->available(); $mark('available');
    $two->acquire();
    $mark('-');
    $three->acquire(); $mark('acquire, all taken');
    $one->token(); $mark('token, first');
    $one->token(); $mark('token');
    $one->release(); $mark('release');
    $one->release(); $mark('release of none');
    (new Semaphore($pool, 'import', 2))->run('time'); $mark('run');
    foreach ([32, 33] as $permits) {
        $many[] = $one = new Semaphore($pool, "export by $permits", $permits);
        $one->acquire(); $mark("acquire, $permits permits");
    }
    $wide = new Semaphore($pool, 'export', 1000);
    $mark('-');
    $wide->acquire(); $mark('acquire, 1000 permits');
});
unset($counted['warm up'], $counted['-']);
foreach ($counted as $name => $trips) {
    echo "$name: $trips\n";
}
?>
--EXPECT--
acquire: 2, 1 by Direct
acquire, held: 2, 1 by Direct
refresh: 2, 1 by Direct
permit: 0
isHeld: 0
isHeld, verified: 1
available: 1
acquire, all taken: 1
token, first: 1
token: 0
release: 2, 1 by Direct
release of none: 0
run: 4, 2 by Direct
acquire, 32 permits: 2, 1 by Direct
acquire, 33 permits: 2
acquire, 1000 permits: 4

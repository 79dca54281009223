--TEST--
A process keeps the 128 last used connections, whatever their timeouts
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pools = [];
for ($i = 0; $i < 300; $i++) {
    $pools[] = new Pool($server->address, timeout: 20 + $i / 1000);
}
foreach ($pools as $pool) {
    (new Counter($pool, 'calls'))->increment();
}
// memcached's own and the test's among them.
var_dump($server->stats()['curr_connections'] < 128 + 10);
// All of them again, those that were closed too.
foreach ($pools as $pool) {
    (new Counter($pool, 'calls'))->increment();
}
var_dump((new Counter($pools[0], 'calls'))->value());

// A list of a hundred servers closes none of its own.
$names = array_map(fn ($i) => "unix:///nowhere/$i.sock:1", range(1, 99));
$many = new Pool([$server->address, ...$names], connectTimeout: 0.1, timeout: 20);
var_dump(count($many->ping()));
// One that is used all the time stays open.
$total = $server->stats()['total_connections'];
$used = new Pool($server->address, timeout: 19);
$counter = new Counter($used, 'calls');
for ($i = 0; $i < 200; $i++) {
    (new Counter(new Pool($server->address, timeout: 21 + $i / 1000), 'calls'))->increment();
    $counter->increment();
}
var_dump($counter->value());
var_dump($server->stats()['total_connections'] - $total < 200 + 10);
?>
--EXPECT--
bool(true)
int(600)
int(100)
int(1000)
bool(true)

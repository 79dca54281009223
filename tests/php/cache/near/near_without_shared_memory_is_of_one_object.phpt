--TEST--
Without shared memory, near values belong to one object and process (P6)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/script.inc';

const CODE = <<<'CODE'
use McPatterns\{Cache, Clock, Pool};

$pool = new Pool($argv[1], timeout: 10);
$argv[2] === 'clock' && Clock::advance(1);
$near = fn (): Cache => new Cache($pool, ttl: 100, near: 60);
$plain = new Cache($pool, ttl: 100);
$plain->set('k', 'first');
[$one, $other] = [$near(), $near()];
$one->get('k');
$told = [$one->get('k'), $other->get('k')];
$stats = $other->stats();
$told[] = [$one->stats()['near'], $stats['near'], $stats['near_shared']];
foreach ([
    'set' => fn () => $plain->set('k', 'second'),
    'delete' => fn () => $plain->delete('k'),
    'near' => fn () => $other->set('k', 'third'),
] as $name => $change) {
    $plain->set('k', 'first');
    $one->get('k');
    $change();
    $told[$name] = $one->peek('k');
}
echo json_encode($told), "\n";
CODE;

$address = start_memcached()->address;
foreach ([
    'shared' => [$address, '16M'],
    'none' => [$address, '0'],
    'memory' => ['memory://m', '16M'],
    'clock' => [$address, '16M'],
] as $name => [$server, $size]) {
    echo $name, ': ', run_script(CODE, [$server, $name], ['mcpatterns.shared_memory' => $size]);
}
?>
--EXPECT--
shared: {"0":"first","1":"first","2":[1,1,1],"set":"second","delete":null,"near":"third"}
none: {"0":"first","1":"first","2":[1,0,0],"set":"second","delete":null,"near":"third"}
memory: {"0":"first","1":"first","2":[1,0,0],"set":"second","delete":null,"near":"third"}
clock: {"0":"first","1":"first","2":[1,0,0],"set":"second","delete":null,"near":"third"}

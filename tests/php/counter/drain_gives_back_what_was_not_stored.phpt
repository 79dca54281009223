--TEST--
drain() restores the drained amount if storing throws, exits or fails (K4)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
$counter = new Counter(new Pool($server->address, timeout: 10), 'views');
$store = function (int $taken) { echo "stored $taken\n"; };
var_dump($counter->drain($store));
$counter->increment(100);
var_dump($counter->drain($store), $counter->drain($store), $counter->value());
$counter->increment(50);
var_dump($counter->drain());

$counter->increment(30);
foreach ([
    fn (int $taken) => throw new DomainException("no database for $taken"),
    function (int $taken) use ($counter) { $counter->increment(5); throw new DomainException('counted meanwhile'); },
    function (int $taken) use ($counter) { $counter->reset(); throw new DomainException('reset meanwhile'); },
    function (int $taken) use ($counter) { echo 'drained inside: ', $counter->drain(), "\n"; throw new DomainException('again'); },
] as $failing) {
    try {
        $counter->drain($failing);
    } catch (DomainException $error) {
        echo $error->getMessage(), ', left: ', $counter->value(), "\n";
    }
}
foreach (['exit;', 'eval("class Fatal implements Countable {}");', 'for (;;) { }', '$fiber = new Fiber(fn () => Fiber::suspend()); Fiber::suspend();'] as $end) {
    run_script('$f = new Fiber(fn () => (new McPatterns\Counter(new McPatterns\Pool($argv[1]), "views"))->drain(function () { ' . $end . ' })); $f->start();',
        [$server->address], ['max_execution_time' => 1]);
    echo "$end left: ", $counter->value(), "\n";
}

// Onto a counter that is gone by then: as increment() would, from an integer that it starts from; from 0
// where a callable says it, as nobody may run it then.
foreach ([100, fn () => 100] as $initial) {
    $other = new Counter(new Pool($server->address, timeout: 10), 'other', $initial);
    $other->set(7);
    try {
        $other->drain(function (int $taken) use ($other) { $other->reset(); throw new DomainException("$taken taken"); });
    } catch (DomainException $error) {
        echo $error->getMessage(), ', left: ', $other->value(), "\n";
    }
}

// Nothing can be added back where nothing is reached.
try {
    $counter->drain(function () use ($server) { $server->kill(); throw new DomainException('no database'); });
} catch (ServerException $error) {
    echo str_replace($server->name, 'server', $error->getMessage()), "\n  after ", $error->getPrevious()->getMessage(), "\n";
}
?>
--EXPECTF--
int(0)
stored 100
int(100)
int(0)
int(0)
int(50)
no database for 30, left: 30
counted meanwhile, left: 35
reset meanwhile, left: 35
drained inside: 0
again, left: 35
exit; left: 35
eval("class Fatal implements Countable {}"); left: 35
for (;;) { } left: 35
$fiber = new Fiber(fn () => Fiber::suspend()); Fiber::suspend(); left: 35
7 taken, left: 107
7 taken, left: 7
Cannot restore 35 to the counter "views" on server: %Sthe server %s
  after no database

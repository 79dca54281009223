--TEST--
drainMany() restores amounts that its callable failed to store
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$server = start_memcached();
by_each_transport(function (Transport $transport) use ($server) {
    $pool = new Pool($server->address, prefix: "$transport->name:", transport: $transport, timeout: 10);
    $counters = array_map(fn (string $name) => new Counter($pool, $name), ['a' => 'a', 'b' => 'b', 'c' => 'c']);
    $names = array_keys($counters);
    $fill = fn () => array_walk($counters, fn (Counter $counter, string $name) => $counter->set(ord($name)));
    $left = fn () => implode(' ', array_map(fn (Counter $counter) => $counter->value(), $counters));

    foreach ([
        'throws' => fn () => throw new DomainException('no database'),
        'counts' => function () use ($counters) { $counters['a']->increment(5); throw new DomainException('counted meanwhile'); },
        'resets' => function () use ($counters) { $counters['b']->reset(); throw new DomainException('reset meanwhile'); },
        'drains' => function () use ($pool, $names) {
            echo Counter::drainMany($pool, $names, fn () => print('nothing inside')), " drained inside\n";
            throw new DomainException('again');
        },
        'closes' => function () use ($pool) { $pool->close(); throw new DomainException('closed'); },
        'needs an argument more' => fn (array $amounts, string $more) => 1,
    ] as $what => $failing) {
        $fill();
        try {
            Counter::drainMany($pool, $names, $failing);
        } catch (DomainException | ArgumentCountError $error) {
            echo "$what: ", get_class($error), ', left: ', $left(), "\n";
        }
    }

    // However the process ends, and whatever the callable holds on to.
    foreach (['exit;', 'eval("class Fatal implements Countable {}");', 'for (;;) { }', '$fiber = new Fiber(fn () => Fiber::suspend()); Fiber::suspend();'] as $end) {
        $fill();
        run_script('$f = new Fiber(fn () => McPatterns\Counter::drainMany(
            new McPatterns\Pool($argv[1], prefix: $argv[2], transport: constant("McPatterns\Transport::" . $argv[3])),
            ["a", "b", "c"], function () { ' . $end . ' })); $f->start();',
            [$server->address, "$transport->name:", $transport->name], ['max_execution_time' => 1]);
        echo "$end left: ", $left(), "\n";
    }

    // What an earlier batch has stored is stored; no further name is read.
    for ($i = 0; $i < 1001; $i++) {
        (new Counter($pool, "many:$i"))->set(1);
    }
    $calls = 0;
    try {
        Counter::drainMany($pool, (function () {
            for ($i = 0; $i < 1001; $i++) {
                yield "many:$i";
            }
            yield 'a';
        })(), function (array $amounts) use (&$calls) {
            if (++$calls === 2) {
                throw new DomainException(implode(', ', array_keys($amounts)));
            }
        });
    } catch (DomainException $error) {
        echo $error->getMessage(), ' not stored; left: ', (new Counter($pool, 'many:999'))->value(), ' ', (new Counter($pool, 'many:1000'))->value(), "\n";
    }
});

// Nothing can be added back where nothing is reached.
$pool = new Pool($server->address, timeout: 10);
foreach (['a', 'b', 'c'] as $name) {
    (new Counter($pool, $name))->set(ord($name));
}
try {
    Counter::drainMany($pool, ['a', 'b', 'c'], function () use ($server) { $server->kill(); throw new DomainException('no database'); });
} catch (ServerException $error) {
    echo str_replace($server->name, 'server', $error->getMessage()), "\n  after ", $error->getPrevious()->getMessage(), "\n";
}
?>
--EXPECTF--
throws: DomainException, left: 97 98 99
counts: DomainException, left: 102 98 99
resets: DomainException, left: 97 98 99
0 drained inside
drains: DomainException, left: 97 98 99
closes: DomainException, left: 97 98 99
needs an argument more: ArgumentCountError, left: 97 98 99
exit; left: 97 98 99
eval("class Fatal implements Countable {}"); left: 97 98 99
for (;;) { } left: 97 98 99
$fiber = new Fiber(fn () => Fiber::suspend()); Fiber::suspend(); left: 97 98 99
many:1000, a not stored; left: 0 1
Cannot restore 294 to 3 counters, the first of them "a" on server: %Sthe server %s
  after no database

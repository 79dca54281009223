--TEST--
drainMany() stores 1,000 names per batch, reads names lazily, reports failures
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, StoredValueException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$error_of = function (callable $call) {
    try {
        return $call();
    } catch (Throwable $error) {
        return get_class($error) . ': ' . $error->getMessage();
    }
};
by_each_transport(function (Transport $transport) use ($server, $error_of) {
    $pool = new Pool($server->address, prefix: "$transport->name:", transport: $transport, timeout: 10);
    $counter = fn (string $name) => new Counter($pool, $name);
    $show = function (array $amounts) { echo json_encode($amounts), "\n"; };

    // Absent ones and zeros are not told; a name that is given twice is drained once; one that looks like a number stays a key.
    foreach (['a' => 5, '17' => 7, 'zero' => 0, "needs mapping \n" => 9, str_repeat('x', 300) => 1] as $name => $number) {
        $counter((string) $name)->set($number);
    }
    echo Counter::drainMany($pool, ['a', 'absent', '17', 'zero', 'a', "needs mapping \n"], $show), " drained\n";
    echo Counter::drainMany($pool, ['a', 17, 'zero'], $show), " drained\n";
    echo Counter::drainMany($pool, [], $show), " of none\n";
    echo Counter::drainMany($pool, [str_repeat('x', 300)], fn (array $amounts) => print(array_sum($amounts) . "\n")), " drained\n";
    $counter('17')->increment();
    Counter::drainMany($pool, [17], function (array $amounts) { var_dump($amounts); });

    // Lazily, and once for each thousand of different names.
    for ($i = 0; $i < 2100; $i++) {
        $counter("many:$i")->set($i + 1);
    }
    $read = 0;
    $sum = 0;
    $names = (function () use (&$read) {
        for ($i = 0; $i < 2100; $i++) {
            $read++;
            yield "many:$i";
            yield "many:$i";
        }
    })();
    echo Counter::drainMany($pool, $names, function (array $amounts) use (&$read, &$sum) {
        echo count($amounts), ' with ', $read, " names read\n";
        $sum += array_sum($amounts);
    }), " drained, all in all $sum of ", 2100 * 2101 / 2, "\n";
    echo $counter('many:0')->value() + $counter('many:2099')->value(), " left\n";

    // What is no number stays; the others are stored first.
    foreach (['a', 'b', 'c', 'd'] as $name) {
        $counter($name)->set(3);
    }
    foreach (['b', 'c'] as $name) {
        $server->raw("set $transport->name:$name 0 0 4\r\ntext");
    }
    echo str_replace($server->name, 'server', $error_of(fn () => Counter::drainMany($pool, ['a', 'b', 'c', 'd'], $show))), "\n";
    echo str_replace($server->name, 'server', $error_of(fn () => Counter::drainMany($pool, ['b'], $show))), "\n";

    // Nothing of the thousand that is being read is touched when a name is none.
    $counter('a')->set(3);
    foreach ([['a', ''], ['a', 1.5], ['a', null]] as $wrong) {
        echo $error_of(fn () => Counter::drainMany($pool, $wrong, $show)), "\n";
    }
    $throwing = (function () { yield 'a'; throw new DomainException('no more names'); })();
    echo $error_of(fn () => Counter::drainMany($pool, $throwing, $show)), "\n";
    echo $counter('a')->value(), " left\n";
});
?>
--EXPECT--
{"a":5,"17":7,"needs mapping \n":9}
3 drained
0 drained
0 of none
1
1 drained
array(1) {
  [17]=>
  int(1)
}
1000 with 1000 names read
999 with 1999 names read
101 with 2100 names read
2100 drained, all in all 2206050 of 2206050
0 left
{"a":3,"d":3}
McPatterns\StoredValueException: Cannot drain 2 counters, the first of them "b" on server: the stored value is not a number; does another class or client use the key?
McPatterns\StoredValueException: Cannot drain the counter "b" on server: the stored value is not a number; does another class or client use the key?
ValueError: McPatterns\Counter::drainMany(): Argument #2 ($names) must not contain an empty name
TypeError: McPatterns\Counter::drainMany(): Argument #2 ($names) must be a list of strings, float found
TypeError: McPatterns\Counter::drainMany(): Argument #2 ($names) must be a list of strings, null found
DomainException: no more names
3 left

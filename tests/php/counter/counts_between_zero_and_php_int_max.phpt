--TEST--
A counter stops at 0 and PHP_INT_MAX without padding or wrapping (K3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
foreach (['memory://m', $server->address] as $address) {
    $counter = new Counter(new Pool($address, timeout: 10), 'views', initial: 5);
    $show = fn () => json_encode($counter->value());
    echo $show(), ' ', json_encode($counter->increment()), ' ', json_encode($counter->increment(10)), ' ',
        json_encode($counter->decrement(7)), ' ', json_encode($counter->increment(-2)), ' ', json_encode($counter->decrement(-3)), "\n";
    echo json_encode($counter->decrement(1000)), ' ', json_encode($counter->increment(PHP_INT_MIN)), ' ', json_encode($counter->increment(0)), ' ', $show(), "\n";
    $counter->set(PHP_INT_MAX - 1);
    echo $counter->increment() === PHP_INT_MAX ? 'the largest' : 'wrong', "\n";
    foreach ([1, PHP_INT_MAX] as $by) {
        try {
            echo json_encode($counter->increment($by)), "\n";
        } catch (StoredValueException $error) {
            echo str_replace(name_of($address), 'server', $error->getMessage()), "\n";
        }
    }
    echo $counter->value() === PHP_INT_MAX ? 'still the largest' : 'wrong', "\n";
    $counter->reset();
    echo $show(), ' ', json_encode($counter->decrement(3)), "\n";
}
echo json_encode($server->raw('get views')), "\n";
?>
--EXPECT--
5 6 16 9 7 10
0 0 0 0
the largest
Cannot increment the counter "views" on server: the result would exceed PHP_INT_MAX; the previous value was kept
Cannot increment the counter "views" on server: the result would exceed PHP_INT_MAX; the previous value was kept
still the largest
5 2
5 6 16 9 7 10
0 0 0 0
the largest
Cannot increment the counter "views" on server: the result would exceed PHP_INT_MAX; the previous value was kept
Cannot increment the counter "views" on server: the result would exceed PHP_INT_MAX; the previous value was kept
still the largest
5 2
"VALUE views 0 1\r\n2\r\nEND\r\n"

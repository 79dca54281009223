--TEST--
Cache::increment() throws for non-integers and overflow, and returns false if missing (I5, I7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, StoredValueException};

require __DIR__ . '/../../../_support/envelope.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address), ttl: 100);
$try = function (callable $count) {
    try {
        return json_encode($count());
    } catch (StoredValueException $exception) {
        return $exception->getMessage();
    }
};
var_dump($cache->increment('absent'), $cache->decrement('absent'));
echo 'left behind: ', $server->stats()['curr_items'], "\n";

$wrong = 0;
foreach ([null, false, true, '', '5', 'text', 5.0, 1.5, [], [5], new ArrayObject] as $value) {
    $cache->set('k', $value);
    $before = get_raw($server, 'k');
    foreach (['increment', 'decrement'] as $method) {
        $message = $try(fn () => $cache->$method('k'));
        if ($message !== 'Cannot increment "k": its value is not an integer' || get_raw($server, 'k') !== $before) {
            $wrong++;
            echo get_debug_type($value), " $method: $message\n";
        }
    }
}
echo "wrong: $wrong, items: ", $server->stats()['curr_items'], "\n";

echo "the ends of the integers\n";
$cache->set('n', PHP_INT_MAX - 1);
echo json_encode($cache->increment('n')), "\n", $try(fn () => $cache->increment('n')), "\n", json_encode([$cache->get('n'), $cache->decrement('n')]), "\n";
echo $try(fn () => $cache->increment('n', PHP_INT_MAX)), ' ', json_encode($cache->get('n')), "\n";
$cache->set('n', PHP_INT_MAX);
echo $try(fn () => $cache->increment('n')), ' ', json_encode($cache->get('n')), "\n";
$cache->set('n', PHP_INT_MIN);
echo $try(fn () => $cache->decrement('n')), ' ', json_encode([$cache->get('n'), $cache->increment('n')]), "\n";
echo $try(fn () => $cache->set('n', 0) && $cache->increment('n', PHP_INT_MAX)), ' ', json_encode($cache->get('n')), "\n";
foreach (['increment', 'decrement'] as $method) {
    try {
        $cache->$method('n', PHP_INT_MIN);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

echo "somebody else's bytes in the side key\n";
$cache->set('n', 5);
put_raw($server, 'n_increment', 'text', 0);
echo json_encode([$cache->get('n'), $cache->increment('n'), $cache->increment('n'), $cache->get('n')]), "\n";
[, $flags] = get_raw($server, 'n_increment');
put_raw($server, 'n_increment', 'text', $flags);
echo json_encode($cache->get('n')), ' ', $try(fn () => $cache->increment('n')), "\n";
?>
--EXPECT--
bool(false)
bool(false)
left behind: 0
wrong: 0, items: 1
the ends of the integers
9223372036854775807
Cannot increment "n": the result would exceed the range of integers
[9223372036854775807,9223372036854775806]
Cannot increment "n": the result would exceed the range of integers 9223372036854775806
Cannot increment "n": the result would exceed the range of integers 9223372036854775807
Cannot increment "n": the result would exceed the range of integers [-9223372036854775808,-9223372036854775807]
true 9223372036854775807
McPatterns\Cache::increment(): Argument #2 ($by) must be greater than PHP_INT_MIN
McPatterns\Cache::decrement(): Argument #2 ($by) must be greater than PHP_INT_MIN
somebody else's bytes in the side key
[5,6,7,7]
5 Cannot increment "n": its value is not an integer

--TEST--
whenDown replaces results of increment(), decrement() and value() during an outage
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException, StoredValueException};

require __DIR__ . '/../../_support/when_down.inc';

answer_outages(fn (Pool $pool) => new Counter($pool, 'views', whenDown: -1), [
    'increment' => fn (Counter $counter) => $counter->increment(),
    'decrement' => fn (Counter $counter) => $counter->decrement(5),
    'value' => fn (Counter $counter) => $counter->value(),
    'set' => fn (Counter $counter) => $counter->set(1),
    'reset' => fn (Counter $counter) => $counter->reset(),
    'drain' => fn (Counter $counter) => $counter->drain(),
]);

$server = start_memcached();
$pool = new Pool($server->address);
$counter = new Counter($pool, 'views', whenDown: 7);
echo $counter->increment(), ' ', $counter->value(), ' ', $counter->drain(), "\n";
$server->raw("set views 0 0 5\r\nhello");
foreach ([fn () => $counter->increment(), fn () => $counter->value(), fn () => $counter->decrement(PHP_INT_MIN)] as $call) {
    try {
        echo $call(), " was answered\n";
    } catch (StoredValueException | ValueError $error) {
        echo $error::class, ': ', preg_replace('/ on unix:\S+sock/', '', $error->getMessage()), "\n";
    }
}
// What the callable throws is its own, a ServerException of another server too.
$loads = new Counter($pool, 'loaded', fn () => throw new ServerException('the database of numbers'), whenDown: 7);
echo (new Outage('dead', McPatterns\Transport::Direct))->ask(fn () => $loads->increment()), "\n";
// It is not asked for a number that cannot be stored.
$server->kill();
$loads = new Counter($pool, 'loaded', fn () => exit("run without a server\n"), whenDown: 7);
echo $loads->value(), "\n";
?>
--EXPECT--
dead, Libmemcached: increment -1, decrement -1, value -1, set ServerException, reset ServerException, drain ServerException, counted 3
whenDown replaced the result of "views": its server is down, key views
frozen, Libmemcached: increment -1, decrement -1, value -1, set ServerException, reset ServerException, drain ServerException, counted 3
whenDown replaced the result of "views": its server is down, key views
dead, Direct: increment -1, decrement -1, value -1, set ServerException, reset ServerException, drain ServerException, counted 3
whenDown replaced the result of "views": its server is down, key views
frozen, Direct: increment -1, decrement -1, value -1, set ServerException, reset ServerException, drain ServerException, counted 3
whenDown replaced the result of "views": its server is down, key views
1 1 1
McPatterns\StoredValueException: Cannot increment the counter "views": the stored value is not a number; does another class or client use the key?
McPatterns\StoredValueException: Cannot read the counter "views": the stored value is not a number; does another class or client use the key?
ValueError: McPatterns\Counter::decrement(): Argument #1 ($by) must be greater than PHP_INT_MIN
ServerException
7

--TEST--
Table rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Table};

$pool = new Pool('memory://m');
$table = new Table($pool, 'jobs');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new Table($pool, null);
} catch (ValueError) {
}
restore_error_handler();
$attempts = [
    fn () => new Table($pool, ''),
    fn () => new Table($pool, 'a', -1),
    fn () => new Table($pool, 'a', new DateInterval('PT0S')),
    fn () => new Table($pool, 'a', 0, 0),
    fn () => new Table($pool, 'a', 0, 257),
    fn () => $table->put('', 1),
    fn () => $table->put(str_repeat('x', 65537), 1),
    fn () => $table->get(''),
    fn () => $table->has(''),
    fn () => $table->delete(''),
    fn () => $table->update('', fn () => 1),
    fn () => $table->rows(['a', '']),
    fn () => $table->rows([1.5]),
    fn () => $table->put('a', fn () => 1),
    fn () => $none->put('a', 1),
    fn () => $none->rows(),
    fn () => $none->count(),
    fn () => $table->__construct($pool, 'b'),
    fn () => clone $table,
    fn () => serialize($table),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
?>
--EXPECT--
ValueError: Table::__construct(): Argument #2 ($name) must not be empty
ValueError: Table::__construct(): Argument #3 ($ttl) must be greater than or equal to 0
ValueError: Table::__construct(): Argument #3 ($ttl) must not be a DateInterval or Time\Duration of 0 seconds: a TTL of 0 never expires
ValueError: Table::__construct(): Argument #4 ($shards) must be between 1 and 256
ValueError: Table::__construct(): Argument #4 ($shards) must be between 1 and 256
ValueError: Table::put(): Argument #1 ($id) must not be empty
ValueError: Table::put(): Argument #1 ($id) must be at most 65536 bytes long, 65537 given
ValueError: Table::get(): Argument #1 ($id) must not be empty
ValueError: Table::has(): Argument #1 ($id) must not be empty
ValueError: Table::delete(): Argument #1 ($id) must not be empty
ValueError: Table::update(): Argument #1 ($id) must not be empty
ValueError: Table::rows(): Argument #1 ($ids) must not contain an empty id
TypeError: Table::rows(): Argument #1 ($ids) must be an array of strings, float found
McPatterns\NotSerializableException: Cannot store the value of "a": not serializable: Serialization of 'Closure' is not allowed
Error: Table object was never constructed
Error: Table object was never constructed
Error: Table object was never constructed
Error: Cannot call the constructor of a Table twice
Error: Trying to clone an uncloneable object of class Table
Exception: Serialization of 'Table' is not allowed

--TEST--
EventLog rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{EventLog, Pool};

$pool = new Pool('memory://m');
$log = new EventLog($pool, 'errors');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new EventLog($pool, null);
} catch (ValueError) {
}
restore_error_handler();
$cursor = $first = null;
$log->since($first);
(new EventLog($pool, 'others'))->since($cursor);
$number = 17;
$attempts = [
    fn () => new EventLog($pool, ''),
    fn () => new EventLog($pool, 'a', 3600, 0),
    fn () => new EventLog($pool, 'a', 10000, 1001),
    fn () => new EventLog($pool, 'a', 3600, 7),
    fn () => new EventLog($pool, 'a', 11, 12),
    fn () => new EventLog($pool, 'a', -1, 1),
    fn () => new EventLog($pool, 'a', PHP_INT_MAX, 1),
    fn () => $log->last(0),
    fn () => $log->since($first, 0),
    fn () => $log->since($cursor),
    fn () => (new EventLog($pool, 'errors', 3600, 6))->since($first),
    fn () => $log->since($number),
    fn () => $none->append(1),
    fn () => $none->last(),
    fn () => $none->clear(),
    fn () => $log->__construct($pool, 'b'),
    fn () => clone $log,
    fn () => serialize($log),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
new EventLog($pool, "any \n bytes", 1000, 1000);
var_dump($number);
?>
--EXPECT--
ValueError: EventLog::__construct(): Argument #2 ($name) must not be empty
ValueError: EventLog::__construct(): Argument #4 ($slots) must be between 1 and 1000
ValueError: EventLog::__construct(): Argument #4 ($slots) must be between 1 and 1000
ValueError: EventLog::__construct(): Argument #3 ($age) must be divisible by the number of slots, 7
ValueError: EventLog::__construct(): Argument #3 ($age) must be at least 1 second for each of the 12 slots, and at most 4294967295
ValueError: EventLog::__construct(): Argument #3 ($age) must be at least 1 second for each of the 1 slots, and at most 4294967295
ValueError: EventLog::__construct(): Argument #3 ($age) must be at least 1 second for each of the 1 slots, and at most 4294967295
ValueError: EventLog::last(): Argument #1 ($n) must be greater than 0
ValueError: EventLog::since(): Argument #2 ($limit) must be greater than 0
ValueError: EventLog::since(): Argument #1 ($cursor) must be null or a cursor that since() of this log returned, with the same slot length
ValueError: EventLog::since(): Argument #1 ($cursor) must be null or a cursor that since() of this log returned, with the same slot length
TypeError: EventLog::since(): Argument #1 ($cursor) must be of type ?string, int given
Error: EventLog object was never constructed
Error: EventLog object was never constructed
Error: EventLog object was never constructed
Error: Cannot call the constructor of a EventLog twice
Error: Trying to clone an uncloneable object of class EventLog
Exception: Serialization of 'EventLog' is not allowed
int(17)

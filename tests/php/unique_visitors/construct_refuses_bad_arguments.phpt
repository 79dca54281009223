--TEST--
UniqueVisitors rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool, UniqueVisitors};

$pool = new Pool('memory://m');
$unique = new UniqueVisitors($pool, 'page');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new UniqueVisitors($pool, null);
} catch (ValueError) {
}
restore_error_handler();
$attempts = [
    fn () => new UniqueVisitors($pool, ''),
    fn () => new UniqueVisitors($pool, 'a', 300, 7),
    fn () => new UniqueVisitors($pool, 'a', 300, 0),
    fn () => new UniqueVisitors($pool, 'a', 86400, 1001),
    fn () => new UniqueVisitors($pool, 'a', 4, 5),
    fn () => new UniqueVisitors($pool, 'a', -300, 5),
    fn () => new UniqueVisitors($pool, 'a', PHP_INT_MAX, 1),
    fn () => new UniqueVisitors($pool, 'a', 300, 5, 3),
    fn () => new UniqueVisitors($pool, 'a', 300, 5, 15),
    fn () => $unique->count(new UniqueVisitors($pool, 'b', precision: 14)),
    fn () => $unique->count($unique, 'b'),
    fn () => $unique->count(new OnlineCounter($pool, 'b')),
    fn () => $unique->count($none),
    fn () => $none->hit('v'),
    fn () => $none->count(),
    fn () => $none->perSlot(),
    fn () => $unique->__construct($pool, 'b'),
    fn () => clone $unique,
    fn () => serialize($unique),
    function () use ($unique) { $unique->other = 1; },
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
// Of sixteen registers two of these visitors share one.
foreach ([4, 14] as $precision) {
    $odd = new UniqueVisitors($pool, "any \n bytes $precision", 1000, 1000, $precision);
    foreach (['', "\0", str_repeat('long', 100000)] as $visitor) {
        $odd->hit($visitor);
    }
    echo $odd->count(), ' ', count($odd->perSlot()), "\n";
}
?>
--EXPECT--
ValueError: UniqueVisitors::__construct(): Argument #2 ($name) must not be empty
ValueError: UniqueVisitors::__construct(): Argument #3 ($window) must be divisible by the number of slots, 7
ValueError: UniqueVisitors::__construct(): Argument #4 ($slots) must be between 1 and 1000
ValueError: UniqueVisitors::__construct(): Argument #4 ($slots) must be between 1 and 1000
ValueError: UniqueVisitors::__construct(): Argument #3 ($window) must be at least 1 second for each of the 5 slots, and at most 4294967295
ValueError: UniqueVisitors::__construct(): Argument #3 ($window) must be at least 1 second for each of the 5 slots, and at most 4294967295
ValueError: UniqueVisitors::__construct(): Argument #3 ($window) must be at least 1 second for each of the 1 slots, and at most 4294967295
ValueError: UniqueVisitors::__construct(): Argument #5 ($precision) must be between 4 and 14
ValueError: UniqueVisitors::__construct(): Argument #5 ($precision) must be between 4 and 14
ValueError: UniqueVisitors::count(): Argument #1 must have the precision 12, 14 given
TypeError: UniqueVisitors::count(): Argument #2 must be of type UniqueVisitors, string given
TypeError: UniqueVisitors::count(): Argument #1 must be of type UniqueVisitors, OnlineCounter given
Error: UniqueVisitors object was never constructed
Error: UniqueVisitors object was never constructed
Error: UniqueVisitors object was never constructed
Error: UniqueVisitors object was never constructed
Error: Cannot call the constructor of a UniqueVisitors twice
Error: Trying to clone an uncloneable object of class UniqueVisitors
Exception: Serialization of 'UniqueVisitors' is not allowed
Error: Cannot create dynamic property UniqueVisitors::$other
2 1000
3 1000

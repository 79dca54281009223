--TEST--
OnlineCounter rejects invalid names, slots and windows, and object misuse
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool};

$pool = new Pool('memory://m');
$online = new OnlineCounter($pool, 'page');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new OnlineCounter($pool, null);
} catch (ValueError) {
}
// One that constructs it meanwhile: then the outer call is the second.
set_error_handler(function () use ($pool, &$inner) {
    $inner = debug_backtrace()[1]['object'];
    $inner->__construct($pool, 'inner', 10, 1);
});
try {
    new OnlineCounter($pool, null, 300, 5);
    echo "accepted\n";
} catch (Error $error) {
    echo str_replace('McPatterns\\', '', $error->getMessage()), ', slots: ', count($inner->perSlot()) - 1, "\n";
}
restore_error_handler();
$attempts = [
    fn () => new OnlineCounter($pool, ''),
    fn () => new OnlineCounter($pool, 'a', 300, 7),
    fn () => new OnlineCounter($pool, 'a', 300, 0),
    fn () => new OnlineCounter($pool, 'a', 300, -5),
    fn () => new OnlineCounter($pool, 'a', 4, 5),
    fn () => new OnlineCounter($pool, 'a', 0, 1),
    fn () => new OnlineCounter($pool, 'a', -300, 5),
    fn () => new OnlineCounter($pool, 'a', PHP_INT_MAX, 1),
    fn () => new OnlineCounter($pool, 'a', 86401, 86401),
    fn () => $online->increment(-1),
    fn () => $none->increment(),
    fn () => $none->hit('v'),
    fn () => $none->count(),
    fn () => $none->perSlot(),
    fn () => $online->__construct($pool, 'b'),
    fn () => clone $online,
    fn () => serialize($online),
    function () use ($online) { $online->other = 1; },
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
$online->increment(0);
new OnlineCounter($pool, "any \n bytes", 1, 1);
echo json_encode($online->count()), ' ', count((new OnlineCounter($pool, 'day', 86400, 86400))->perSlot()), "\n";
?>
--EXPECT--
Cannot call the constructor of a OnlineCounter twice, slots: 1
ValueError: OnlineCounter::__construct(): Argument #2 ($name) must not be empty
ValueError: OnlineCounter::__construct(): Argument #3 ($window) must be divisible by the number of slots, 7
ValueError: OnlineCounter::__construct(): Argument #4 ($slots) must be between 1 and 86400
ValueError: OnlineCounter::__construct(): Argument #4 ($slots) must be between 1 and 86400
ValueError: OnlineCounter::__construct(): Argument #3 ($window) must be at least 1 second for each of the 5 slots, and at most 4294967295
ValueError: OnlineCounter::__construct(): Argument #3 ($window) must be at least 1 second for each of the 1 slots, and at most 4294967295
ValueError: OnlineCounter::__construct(): Argument #3 ($window) must be at least 1 second for each of the 5 slots, and at most 4294967295
ValueError: OnlineCounter::__construct(): Argument #3 ($window) must be at least 1 second for each of the 1 slots, and at most 4294967295
ValueError: OnlineCounter::__construct(): Argument #4 ($slots) must be between 1 and 86400
ValueError: OnlineCounter::increment(): Argument #1 ($by) must be greater than or equal to 0
Error: OnlineCounter object was never constructed
Error: OnlineCounter object was never constructed
Error: OnlineCounter object was never constructed
Error: OnlineCounter object was never constructed
Error: Cannot call the constructor of a OnlineCounter twice
Error: Trying to clone an uncloneable object of class OnlineCounter
Exception: Serialization of 'OnlineCounter' is not allowed
Error: Cannot create dynamic property OnlineCounter::$other
0 86401

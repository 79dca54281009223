--TEST--
Counter rejects invalid names, initial values and durations, and object misuse
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool};

$pool = new Pool('memory://m');
$counter = new Counter($pool, 'c');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new Counter($pool, null);
} catch (ValueError) {
}
restore_error_handler();
// So does one of a fraction, and may construct it.
set_error_handler(function () use ($pool, &$gone, &$twice) {
    $callable = fn () => 20;
    $gone = WeakReference::create($callable);
    $twice = debug_backtrace()[1]['object'];
    $twice->__construct($pool, 'inner', $callable);
});
try {
    new Counter($pool, 'outer', 1.5);
} catch (Error $error) {
    echo $error->getMessage(), ', ', $twice->value(), "\n";
}
restore_error_handler();
unset($twice, $error);
var_dump($gone->get());
$attempts = [
    fn () => new Counter($pool, ''),
    fn () => new Counter($pool, 'a', -1),
    fn () => new Counter($pool, 'a', 'no function'),
    fn () => new Counter($pool, 'a', [1]),
    fn () => new Counter($pool, 'a', 1.5),
    fn () => new Counter($pool, 'a', ttl: -1),
    fn () => new Counter($pool, 'a', ttl: INF),
    fn () => new Counter($pool, 'a', wait: NAN),
    fn () => $counter->set(-1),
    fn () => $counter->decrement(PHP_INT_MIN),
    fn () => $counter->drain('no function'),
    fn () => $none->increment(),
    fn () => $none->decrement(),
    fn () => $none->value(),
    fn () => $none->set(1),
    fn () => $none->reset(),
    fn () => $none->drain(),
    fn () => $counter->__construct($pool, 'b'),
    fn () => clone $counter,
    fn () => serialize($counter),
    function () use ($counter) { $counter->other = 1; },
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
var_dump((new Counter($pool, 'd', '7'))->value(), (new Counter($pool, 'd', 'getmypid'))->value() === getmypid());
?>
--EXPECTF--
Cannot call the constructor of a McPatterns\Counter twice, 20
NULL
ValueError: Counter::__construct(): Argument #2 ($name) must not be empty
ValueError: Counter::__construct(): Argument #3 ($initial) must be greater than or equal to 0
TypeError: Counter::__construct(): Argument #3 ($initial) must be a valid callback or of type int, string given
TypeError: Counter::__construct(): Argument #3 ($initial) must be a valid callback or of type int, array given

Deprecated: Implicit conversion from float 1.5 to int loses precision in %s on line %d
accepted
ValueError: Counter::__construct(): Argument #4 ($ttl) must be greater than or equal to 0
ValueError: Counter::__construct(): Argument #4 ($ttl) must be a finite number of seconds
ValueError: Counter::__construct(): Argument #5 ($wait) must be a finite number of seconds
ValueError: Counter::set(): Argument #1 ($value) must be greater than or equal to 0
ValueError: Counter::decrement(): Argument #1 ($by) must be greater than PHP_INT_MIN
TypeError: Counter::drain(): Argument #1 ($store) must be a valid callback or null, function "no function" not found or invalid function name
Error: Counter object was never constructed
Error: Counter object was never constructed
Error: Counter object was never constructed
Error: Counter object was never constructed
Error: Counter object was never constructed
Error: Counter object was never constructed
Error: Cannot call the constructor of a Counter twice
Error: Trying to clone an uncloneable object of class Counter
Exception: Serialization of 'Counter' is not allowed
Error: Cannot create dynamic property Counter::$other
int(7)
bool(true)

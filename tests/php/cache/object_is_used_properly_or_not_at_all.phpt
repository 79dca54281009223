--TEST--
Cache rejects second construction, unconstructed use, cloning, serialization, inheritance and properties
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, MC, Pool};

$pool = new Pool('memory://object');
$cache = new Cache($pool);
$cache->set('k', 'value');
// Without reflection, which refuses, an error handler is where an unconstructed object can be had.
$raw = null;
set_error_handler(function () use (&$raw) {
    $raw = debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT)[1]['object'];
    return true;
});
try {
    new Cache($pool, ttl: null, wait: -1);
} catch (ValueError) {
}
$raw_pool = null;
set_error_handler(function () use (&$raw_pool) {
    $raw_pool = debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT)[1]['object'];
    return true;
});
try {
    new Pool('memory://object', failover: null, timeout: -1);
} catch (ValueError) {
}
$constructed_within = null;
set_error_handler(function () use (&$constructed_within, $pool) {
    $constructed_within = debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT)[1]['object'];
    $constructed_within->__construct($pool);
    return true;
});
$entry = $cache->entry('k');
$tries = [
    fn () => $cache->__construct($pool),
    fn () => clone $cache,
    fn () => serialize($cache),
    fn () => unserialize('O:16:"McPatterns\Cache":0:{}'),
    fn () => $cache->property = 1,
    fn () => (new ReflectionClass(Cache::class))->newInstanceWithoutConstructor(),
    fn () => new Cache($raw_pool),
    fn () => new Cache($pool, ttl: null),
    fn () => MC::use($raw),
    fn () => new Entry,
    fn () => clone $entry,
    fn () => serialize($entry),
    fn () => $entry->value = 'changed',
    fn () => $entry->other = 1,
    fn () => $entry->__construct(),
];
foreach ($tries as $try) {
    try {
        $try();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
$arguments = ['setMultiple' => [['k' => 1]], 'getMultiple' => [['k']], 'prefetch' => [['k']], 'deleteMultiple' => [['k']], 'expireMultiple' => [['k']], 'remember' => ['k', 1, fn () => 1], 'update' => ['k', fn () => 1], 'rememberMany' => [['k'], 1, fn () => []], 'tagged' => ['t'], 'invalidateTags' => ['t'], 'deleteTags' => ['t']];
$not_refused = [];
foreach (array_diff(get_class_methods(Cache::class), ['__construct']) as $method) {
    $parameters = $arguments[$method] ?? array_slice(['k', 1], 0, (new ReflectionMethod(Cache::class, $method))->getNumberOfRequiredParameters());
    try {
        $raw->$method(...$parameters);
        $not_refused[] = $method;
    } catch (Error $error) {
        if ($error->getMessage() !== 'McPatterns\Cache object was never constructed') {
            $not_refused[] = "$method: " . $error->getMessage();
        }
    }
}
echo 'not refused by an unconstructed object: ', json_encode($not_refused), "\n";
echo 'constructed in the middle of its constructor: ', $constructed_within->get('k'), "\n";
$is_final = fn (string $class) => (new ReflectionClass($class))->isFinal();
echo 'final: ', json_encode([$is_final(Cache::class), $is_final(Entry::class), $is_final(MC::class)]), "\n";
echo "and the first one goes on: ", $cache->get('k'), ' ', $entry->value, "\n";
?>
--EXPECT--
Error: Cannot call the constructor of a McPatterns\Cache twice
Error: Trying to clone an uncloneable object of class McPatterns\Cache
Exception: Serialization of 'McPatterns\Cache' is not allowed
Exception: Unserialization of 'McPatterns\Cache' is not allowed
Error: Cannot create dynamic property McPatterns\Cache::$property
ReflectionException: Class McPatterns\Cache is an internal class marked as final that cannot be instantiated without invoking its constructor
Error: McPatterns\Pool object was never constructed
Error: Cannot call the constructor of a McPatterns\Cache twice
Error: McPatterns\Cache object was never constructed
Error: Call to private McPatterns\Entry::__construct() from global scope
Error: Trying to clone an uncloneable object of class McPatterns\Entry
Exception: Serialization of 'McPatterns\Entry' is not allowed
Error: Cannot modify readonly property McPatterns\Entry::$value
Error: Cannot create dynamic property McPatterns\Entry::$other
Error: Call to private method McPatterns\Entry::__construct() from global scope
not refused by an unconstructed object: []
constructed in the middle of its constructor: value
final: [true,true,false]
and the first one goes on: value value

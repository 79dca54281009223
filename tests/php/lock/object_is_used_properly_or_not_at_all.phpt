--TEST--
Lock rejects unconstructed use, second construction, cloning, serialization and properties
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool};

$pool = new Pool('memory://m');
$lock = new Lock($pool, 'a');
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new Lock($pool, null);
} catch (ValueError) {
}
restore_error_handler();
$attempts = [];
foreach (['acquire' => [], 'run' => ['time'], 'refresh' => [], 'release' => [], 'forceRelease' => [], 'detach' => [],
    'isHeld' => [], 'isLocked' => [], 'remaining' => [], 'token' => [], 'owner' => []] as $method => $arguments) {
    $attempts[] = fn () => $none->$method(...$arguments);
}
$attempts[] = fn () => $lock->__construct($pool, 'b');
$attempts[] = fn () => clone $lock;
$attempts[] = fn () => serialize($lock);
$attempts[] = fn () => unserialize('O:15:"McPatterns\Lock":0:{}');
$attempts[] = function () use ($lock) { $lock->other = 1; };
$attempts[] = fn () => (new ReflectionClass(Lock::class))->newInstanceWithoutConstructor();
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
unset($none);
var_dump($lock->acquire());
?>
--EXPECT--
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: McPatterns\Lock object was never constructed
Error: Cannot call the constructor of a McPatterns\Lock twice
Error: Trying to clone an uncloneable object of class McPatterns\Lock
Exception: Serialization of 'McPatterns\Lock' is not allowed
Exception: Unserialization of 'McPatterns\Lock' is not allowed
Error: Cannot create dynamic property McPatterns\Lock::$other
ReflectionException: Class McPatterns\Lock is an internal class marked as final that cannot be instantiated without invoking its constructor
bool(true)

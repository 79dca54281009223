--TEST--
A Pool rejects cloning, serialization, properties and a second construction
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

$pool = new Pool('memory://m');
foreach ([
    fn () => clone $pool,
    fn () => serialize($pool),
    fn () => unserialize('O:15:"McPatterns\Pool":0:{}'),
    fn () => $pool->other = 1,
    fn () => $pool->__construct('memory://other'),
    fn () => (new ReflectionClass(Pool::class))->newInstanceWithoutConstructor(),
] as $abuse) {
    try {
        $abuse();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
echo $pool->serverFor('key'), "\n";
?>
--EXPECT--
Error: Trying to clone an uncloneable object of class McPatterns\Pool
Exception: Serialization of 'McPatterns\Pool' is not allowed
Exception: Unserialization of 'McPatterns\Pool' is not allowed
Error: Cannot create dynamic property McPatterns\Pool::$other
Error: Cannot call the constructor of a McPatterns\Pool twice
ReflectionException: Class McPatterns\Pool is an internal class marked as final that cannot be instantiated without invoking its constructor
memory://m

--TEST--
Semaphore rejects each invalid argument by its parameter's name
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Semaphore};

$pool = new Pool('memory://m');
$semaphore = new Semaphore($pool, 'a', 3);
// A handler of the deprecation of null for a string sees the object before it is constructed.
set_error_handler(function () use (&$none) { $none = debug_backtrace()[1]['object']; });
try {
    new Semaphore($pool, null, 3);
} catch (ValueError) {
}
restore_error_handler();
$attempts = [
    fn () => new Semaphore($pool, '', 3),
    fn () => new Semaphore($pool, 'a', 0),
    fn () => new Semaphore($pool, 'a', -1),
    fn () => new Semaphore($pool, 'a', 1001),
    fn () => new Semaphore($pool, 'a', 3, 0),
    fn () => new Semaphore($pool, 'a', 3, -1),
    fn () => new Semaphore($pool, 'a', 3, NAN),
    fn () => new Semaphore($pool, 'a', 3, []),
    fn () => new Semaphore($pool, 'a', 3, 10, ''),
    fn () => new Semaphore($pool, 'a', 3, 10, str_repeat('o', 256)),
    fn () => $semaphore->acquire(-1),
    fn () => $semaphore->acquire(NAN),
    fn () => $semaphore->refresh(0),
    fn () => $semaphore->permit(),
    fn () => $semaphore->token(),
    fn () => $none->acquire(),
    fn () => $none->run('time'),
    fn () => $none->refresh(),
    fn () => $none->release(),
    fn () => $none->available(),
    fn () => $none->token(),
    fn () => $none->permit(),
    fn () => $semaphore->__construct($pool, 'b', 1),
    fn () => clone $semaphore,
    fn () => serialize($semaphore),
    function () use ($semaphore) { $semaphore->other = 1; },
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
        echo "accepted\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', str_replace('McPatterns\\', '', $error->getMessage()), "\n";
    }
}
$odd = new Semaphore($pool, "any \n bytes", 1000, new DateInterval('PT1M'), str_repeat('o', 255), false);
echo json_encode($odd->acquire()), ' ', $odd->available(), ' ', json_encode($odd->release()), "\n";
$endless = new Semaphore($pool, 'endless', 1, INF);
echo json_encode($endless->acquire()), ' ', $endless->available(), "\n";
?>
--EXPECT--
ValueError: Semaphore::__construct(): Argument #2 ($name) must not be empty
ValueError: Semaphore::__construct(): Argument #3 ($permits) must be between 1 and 1000
ValueError: Semaphore::__construct(): Argument #3 ($permits) must be between 1 and 1000
ValueError: Semaphore::__construct(): Argument #3 ($permits) must be between 1 and 1000
ValueError: Semaphore::__construct(): Argument #4 ($ttl) must be greater than 0
ValueError: Semaphore::__construct(): Argument #4 ($ttl) must be greater than 0
ValueError: Semaphore::__construct(): Argument #4 ($ttl) must be a number of seconds or INF
TypeError: Semaphore::__construct(): Argument #4 ($ttl) must be of type DateInterval|Time\Duration|int|float, array given
ValueError: Semaphore::__construct(): Argument #5 ($owner) must be between 1 and 255 bytes long
ValueError: Semaphore::__construct(): Argument #5 ($owner) must be between 1 and 255 bytes long
ValueError: Semaphore::acquire(): Argument #1 ($wait) must be greater than or equal to 0
ValueError: Semaphore::acquire(): Argument #1 ($wait) must be a number of seconds or INF
ValueError: Semaphore::refresh(): Argument #1 ($ttl) must be greater than 0
McPatterns\LockLostException: The semaphore "a" is not held
McPatterns\LockLostException: The semaphore "a" is not held
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Semaphore object was never constructed
Error: Cannot call the constructor of a Semaphore twice
Error: Trying to clone an uncloneable object of class Semaphore
Exception: Serialization of 'Semaphore' is not allowed
Error: Cannot create dynamic property Semaphore::$other
true 999 true
true 0

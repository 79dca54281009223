--TEST--
Boolean parameters of Cache reject strings and numbers with a TypeError
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Lock, OnlineCounter, Pool, Semaphore};

$pool = new Pool('memory://switches');
$cache = new Cache($pool, clearable: true);
$online = new OnlineCounter($pool, 'page');
$lock = new Lock($pool, 'job');
$semaphore = new Semaphore($pool, 'jobs', 2);
$calls = [
    'clear' => fn (mixed ...$switch) => $cache->clear(...$switch),
    'count' => fn (mixed ...$switch) => $online->count(...$switch),
    'isHeld' => fn (mixed ...$switch) => $lock->isHeld(...$switch),
    'isHeld of a permit' => fn (mixed ...$switch) => $semaphore->isHeld(...$switch),
];
foreach ($calls as $name => $call) {
    foreach (['b', '', '1', 1, 0.5, null, ['b']] as $other) {
        try {
            $call($other);
            echo "$name: accepted ", json_encode($other), "\n";
        } catch (TypeError $error) {
            if ($other === 'b') {
                echo $error->getMessage(), "\n";
            } elseif (!str_contains($error->getMessage(), 'must be of type bool, ' . get_debug_type($other))) {
                echo $error->getMessage(), "\n";
            }
        }
    }
}
foreach ($calls as $name => $call) {
    $call();
    $call(true);
    $call(false);
}
?>
--EXPECT--
McPatterns\Cache::clear(): Argument #1 ($strict) must be of type bool, string given; clear() deletes the object's whole prefix, delete() one key
McPatterns\OnlineCounter::count(): Argument #1 ($smooth) must be of type bool, string given; an object counts only one name
McPatterns\Lock::isHeld(): Argument #1 ($verify) must be of type bool, string given; an object has only one hold
McPatterns\Semaphore::isHeld(): Argument #1 ($verify) must be of type bool, string given; an object has only one hold

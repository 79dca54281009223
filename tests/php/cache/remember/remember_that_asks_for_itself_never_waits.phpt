--TEST--
A callback that requests its own key gets stale or LogicException (C14)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://recursion', 'p:');
$cache = new Cache($pool, ttl: 10);
$stopwatch = new Cache(new Pool('memory://stopwatch'));
$stopwatch->set('start', 1); // 10 s of its age will be ours, and a failure's pause

echo "an old value\n";
$cache->set('k', 'old');
Clock::advance(10);
var_dump($cache->remember('k', null, fn () => 'new, once ' . $cache->remember('k', null, fn () => 'inner')));

echo "a cold key\n";
$ask = fn (Cache $asked) => function () use ($asked) {
    try {
        return $asked->remember('cold', null, fn () => 'inner');
    } catch (LogicException $exception) {
        return get_class($exception) . ': ' . $exception->getMessage();
    }
};
var_dump($cache->remember('cold', null, $ask($cache)));
$cache->delete('cold');
$same = new Cache(new Pool('memory://recursion'), 'p:');
echo 'by another object, that names the same item: ', substr($cache->remember('cold', null, $ask($same)), 0, 14), "\n";
$cache->delete('cold');
$elsewhere = new Cache(new Pool('memory://elsewhere', 'p:'));
echo 'on another server: ', $cache->remember('cold', null, $ask($elsewhere)), "\n";

echo "it is caught by nobody: the claim is given back\n";
try {
    $cache->remember('deep', null, fn () => $cache->remember('middle', null, fn () => $cache->remember('deep', null, fn () => 1)));
} catch (LogicException $exception) {
    echo $exception->getMessage(), "\n";
}
var_dump($cache->remember('deep', null, fn () => 'afterwards'));

echo "another Fiber computes for itself, without waiting\n";
$first = new Fiber(fn () => $cache->remember('f', null, fn () => Fiber::suspend('computing')));
echo $first->start(), "\n";
$second = new Fiber(fn () => $cache->remember('f', null, fn () => 'by the second'));
$second->start();
echo $second->getReturn(), ', stored: ', $cache->get('f'), "\n";
echo $cache->remember('f', null, fn () => 'by nobody'), "\n";
$first->resume('by the first');
echo $first->getReturn(), ', stored: ', $cache->get('f'), "\n";

echo "the same Fiber, a cold key\n";
$fiber = new Fiber(fn () => $cache->remember('g', null, fn () => $cache->remember('g', null, fn () => 1)));
try {
    $fiber->start();
} catch (LogicException) {
    echo "LogicException\n";
}
echo 'waited: ', $stopwatch->entry('start')->age < 10.5 ? 'never' : $stopwatch->entry('start')->age, "\n";
?>
--EXPECT--
an old value
string(13) "new, once old"
a cold key
string(88) "LogicException: The computation of "cold" reads "cold" itself, and no stale value exists"
by another object, that names the same item: LogicException
on another server: inner
it is caught by nobody: the claim is given back
The computation of "deep" reads "deep" itself, and no stale value exists
string(10) "afterwards"
another Fiber computes for itself, without waiting
computing
by the second, stored: by the second
by the second
by the first, stored: by the second
the same Fiber, a cold key
LogicException
waited: never

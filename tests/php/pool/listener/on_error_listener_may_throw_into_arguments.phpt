--TEST--
A Pool::onError() listener that throws during argument evaluation leaks nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

/** Leaves values where the next call's arguments will be. */
function fill(mixed ...$values): int
{
    return count($values);
}

function take(mixed ...$values): void
{
    echo "is not called\n";
}

$calls = [
    fn (Cache $cache) => array_values($cache->getMultiple(['a'])),
    fn (Cache $cache) => take($cache->get('a')),
    fn (Cache $cache) => take(new ArrayObject([1]), $cache->getMultiple(['a']), 3),
    fn (Cache $cache) => take(str_repeat('a', 9), more: $cache->get('a')),
    fn (Cache $cache) => take(...[new stdClass(), $cache->get('a')]),
    fn (Cache $cache) => new ArrayIterator($cache->getMultiple(['a'])),
];
foreach ($calls as $number => $call) {
    $pool = new Pool('unix:///nowhere/memcached.sock');
    $pool->onError(fn () => throw new RuntimeException("into $number"));
    fill(new ArrayObject([$number]), new stdClass(), [$number], new ArrayObject([str_repeat('b', $number)]));
    try {
        $call(new Cache($pool));
    } catch (RuntimeException $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
into 0
into 1
into 2
into 3
into 4
into 5

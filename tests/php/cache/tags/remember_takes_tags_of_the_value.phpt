--TEST--
remember(tags:) adds tags that its callable returns after the computation
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 5), clearable: true);
$calls = 0;
$remember = function (Cache $cache, ?callable $tags) use (&$calls): string {
    return $cache->remember('k', 100, function () use (&$calls): string { return 'value ' . ++$calls; }, tags: $tags);
};
$of = fn (string ...$tags) => function (string $value) use ($tags): array {
    echo "tags of $value\n";
    return $tags;
};

echo $remember($cache, $of('a', 'b')), "\n", $remember($cache, $of('never asked')), "\n";
$cache->deleteTags('c');
echo $remember($cache, null), "\n";
foreach (['a', 'b'] as $tag) {
    $cache->deleteTags($tag);
    echo "$tag: " . $remember($cache, $of('a', 'b', 'b')) . "\n";
}
$cache->tagged('view')->invalidateTags(['a']);
echo 'soft: ', $cache->entry('k')->status->name, "\n";

echo 'with the view\'s: ' . $remember($cache->tagged('view'), $of('a')) . "\n";
$cache->deleteTags('view');
echo 'view: ' . $remember($cache->tagged('view'), $of()) . "\n";
$cache->deleteTags('a');
echo 'no longer: ' . $remember($cache->tagged('view'), null) . "\n";
$cache->clear();
echo 'cleared: ' . $remember($cache, $of('a')) . "\n";

// One that the object has counts from the election on, one that the value tells from when it is told.
foreach (['view', 'a'] as $tag) {
    $cache->clear();
    $cache->tagged('view')->remember('k', 100, function () use ($cache, $tag) { $cache->invalidateTags($tag); return 1; }, tags: fn () => ['a']);
    echo "$tag meanwhile: ", $cache->entry('k')->status->name, "\n";
}

// Only what is stored is asked for; the answer of null for a TTL comes after.
$cache->delete('k');
echo $cache->remember('k', function () { echo "ttl\n"; return null; }, fn () => 'not stored', tags: $of('a')), ': ', json_encode($cache->has('k')), "\n";
?>
--EXPECT--
tags of value 1
value 1
value 1
value 1
tags of value 2
a: value 2
tags of value 3
b: value 3
soft: Stale
tags of value 4
with the view's: value 4
tags of value 5
view: value 5
no longer: value 5
tags of value 6
cleared: value 6
view meanwhile: Stale
a meanwhile: Fresh
tags of not stored
ttl
not stored: false

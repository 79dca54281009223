--TEST--
A tag that is empty, too long or begins with a zero byte, and too many of them, are errors that say which argument is wrong
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$cache = new Cache(new Pool('memory://names'));
$names = fn (int $count) => array_map(fn ($i) => "t$i", range(1, $count));
$calls = [
    'none' => fn () => $cache->tagged(),
    'empty' => fn () => $cache->tagged('a', ''),
    'a zero byte' => fn () => $cache->tagged("\0a"),
    'one within' => fn () => $cache->tagged("a\0"),
    '250 bytes' => fn () => $cache->tagged(str_repeat('x', 250)),
    '251 bytes' => fn () => $cache->tagged('a', 'b', str_repeat('x', 251)),
    '16' => fn () => $cache->tagged(...$names(16)),
    '17' => fn () => $cache->tagged(...$names(17)),
    '16, one twice' => fn () => $cache->tagged('t1', ...$names(16)),
    '16 in two views' => fn () => $cache->tagged(...$names(10))->tagged(...$names(16)),
    '17 in two views' => fn () => $cache->tagged(...$names(16))->tagged('more'),
    'no string' => fn () => $cache->tagged([]),
    'invalidates none' => fn () => $cache->invalidateTags([]),
    'invalidates an empty one' => fn () => $cache->invalidateTags(''),
    'invalidates an empty one of two' => fn () => $cache->invalidateTags(['a', '']),
    'invalidates a zero byte' => fn () => $cache->invalidateTags("\0"),
    'invalidates 251 bytes' => fn () => $cache->invalidateTags([str_repeat('x', 251)]),
    'invalidates 17' => fn () => $cache->invalidateTags($names(17)),
    'invalidates 16, one twice' => fn () => $cache->invalidateTags(['t1', ...$names(16)]),
    'invalidates a number' => fn () => $cache->invalidateTags(['a', 5]),
    'invalidates null' => fn () => $cache->invalidateTags(null),
    'invalidates what was never there' => fn () => $cache->invalidateTags(['a', 'b']),
];
error_reporting(E_ALL & ~E_DEPRECATED);
foreach ($calls as $name => $call) {
    try {
        $answer = $call();
        echo "$name: ", is_bool($answer) ? json_encode($answer) : get_debug_type($answer), "\n";
    } catch (Error $error) {
        echo "$name: ", get_class($error), ': ', $error->getMessage(), "\n";
    }
}
ob_start();
var_dump($cache->tagged('b', 'a'));
echo preg_match('/\["tags"\]=>\s+array\(2\) \{\s+\[0\]=>\s+string\(1\) "b"\s+\[1\]=>\s+string\(1\) "a"/', ob_get_clean()), "\n";
?>
--EXPECT--
none: ArgumentCountError: McPatterns\Cache::tagged() expects at least 1 argument, 0 given
empty: ValueError: McPatterns\Cache::tagged(): Argument #2 must not be an empty tag
a zero byte: ValueError: McPatterns\Cache::tagged(): Argument #1 must not be a tag that begins with a zero byte
one within: McPatterns\Cache
250 bytes: McPatterns\Cache
251 bytes: ValueError: McPatterns\Cache::tagged(): Argument #3 must not be a tag of more than 250 bytes
16: McPatterns\Cache
17: ValueError: McPatterns\Cache::tagged(): Argument #17 must not be one of more than 16 tags
16, one twice: McPatterns\Cache
16 in two views: McPatterns\Cache
17 in two views: ValueError: McPatterns\Cache::tagged(): Argument #1 must not be one of more than 16 tags
no string: TypeError: McPatterns\Cache::tagged(): Argument #1 must be of type string, array given: unpack an array by ... before it
invalidates none: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must have 1 to 16 tags
invalidates an empty one: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must not be an empty tag
invalidates an empty one of two: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must not be an empty tag
invalidates a zero byte: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must not be a tag that begins with a zero byte
invalidates 251 bytes: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must not be a tag of more than 250 bytes
invalidates 17: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must have 1 to 16 tags
invalidates 16, one twice: true
invalidates a number: TypeError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must be a string or an array of strings, int in it
invalidates null: ValueError: McPatterns\Cache::invalidateTags(): Argument #1 ($tags) must not be an empty tag
invalidates what was never there: true
1

--TEST--
Empty, too long, reserved or more than 255 tags throw a ValueError
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$cache = new Cache(new Pool('memory://names'));
$names = fn (int $count) => array_map(fn ($i) => "t$i", range(1, $count));
$calls = [
    'none' => fn () => $cache->tagged(),
    'an empty list' => fn () => $cache->tagged([]),
    'an empty list beside one' => fn () => $cache->tagged('a', []),
    'empty' => fn () => $cache->tagged('a', ''),
    'an empty one in a list' => fn () => $cache->tagged('a', ['b', '']),
    'a null byte' => fn () => $cache->tagged("\0a"),
    'one within' => fn () => $cache->tagged("a\0"),
    '250 bytes' => fn () => $cache->tagged(str_repeat('x', 250)),
    '251 bytes' => fn () => $cache->tagged('a', 'b', str_repeat('x', 251)),
    '255' => fn () => $cache->tagged(...$names(255)),
    '256' => fn () => $cache->tagged(...$names(256)),
    '256 in a list' => fn () => $cache->tagged($names(256)),
    '255, one twice' => fn () => $cache->tagged('t1', $names(200), $names(255)),
    '255 in two views' => fn () => $cache->tagged($names(200))->tagged($names(255)),
    '256 in two views' => fn () => $cache->tagged($names(255))->tagged('more'),
    'deletes none' => fn () => $cache->deleteTags([]),
    'deletes an empty one' => fn () => $cache->deleteTags('a', ''),
    'invalidates 256' => fn () => $cache->invalidateTags($names(128), array_reverse($names(256))),
    'invalidates 255, one twice' => fn () => $cache->invalidateTags('t1', $names(255)),
    'invalidates what was never there' => fn () => $cache->invalidateTags('a', ['b']),
];
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
an empty list: ValueError: McPatterns\Cache::tagged(): Argument #1 must contain between 1 and 255 tags
an empty list beside one: McPatterns\Cache
empty: ValueError: McPatterns\Cache::tagged(): Argument #2 must not be an empty tag
an empty one in a list: ValueError: McPatterns\Cache::tagged(): Argument #2 must not be an empty tag
a null byte: ValueError: McPatterns\Cache::tagged(): Argument #1 must not be a tag that begins with a null byte
one within: McPatterns\Cache
250 bytes: McPatterns\Cache
251 bytes: ValueError: McPatterns\Cache::tagged(): Argument #3 must not be a tag of more than 250 bytes
255: McPatterns\Cache
256: ValueError: McPatterns\Cache::tagged(): Argument #256 must not exceed the limit of 255 tags
256 in a list: ValueError: McPatterns\Cache::tagged(): Argument #1 must not exceed the limit of 255 tags
255, one twice: McPatterns\Cache
255 in two views: McPatterns\Cache
256 in two views: ValueError: McPatterns\Cache::tagged(): Argument #1 must not exceed the limit of 255 tags
deletes none: ValueError: McPatterns\Cache::deleteTags(): Argument #1 must contain between 1 and 255 tags
deletes an empty one: ValueError: McPatterns\Cache::deleteTags(): Argument #2 must not be an empty tag
invalidates 256: ValueError: McPatterns\Cache::invalidateTags(): Argument #2 must not exceed the limit of 255 tags
invalidates 255, one twice: true
invalidates what was never there: true
1

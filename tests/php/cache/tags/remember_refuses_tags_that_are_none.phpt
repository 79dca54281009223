--TEST--
Invalid tags of remember(tags:) release the claim and store nothing
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address, timeout: 5, retryAfter: 0);
$cache = new Cache($pool);
$answers = [
    'a string' => fn () => 'tag', 'nothing' => fn () => null, 'an empty tag' => fn () => [''], 'a number' => fn () => ['tag', 7],
    'a long tag' => fn () => [str_repeat('t', 251)], 'a null byte' => fn () => ["\0tag"], 'many' => fn () => array_map(strval(...), range(1, 256)),
    'an exception' => fn () => throw new DomainException('of the application'),
];
foreach ($answers as $name => $tags) {
    foreach ([$cache, $cache->tagged('one')] as $object) {
        try {
            $object->remember($name, 100, fn () => 1, tags: $tags);
            echo "$name: stored\n";
        } catch (Throwable $thrown) {
            echo "$name: ", $thrown::class, ': ', $thrown->getMessage(), "\n";
            $tags = $name === 'many' ? fn () => array_map(strval(...), range(1, 255)) : $tags;
        }
    }
    $other = new Cache($pool);
    Clock::advance(10);
    echo $other->remember($name, 100, fn () => 'the next one computes', wait: 0) === 'the next one computes' ? '' : "held\n";
}
try {
    (new Cache(new Pool(['memory://a', 'memory://b']), copies: 2))->remember('k', 1, fn () => 1, tags: fn () => ['a']);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
$answer = $cache->remember('server', 100, fn () => 'computed', tags: function () use ($server) {
    $server->kill();
    return ['tag'];
});
$server->start();
echo $answer, ', stored: ', json_encode($cache->has('server')), "\n";
?>
--EXPECT--
a string: TypeError: McPatterns\Cache::remember(): Argument #14 ($tags) must return an array of strings, string returned
a string: TypeError: McPatterns\Cache::remember(): Argument #14 ($tags) must return an array of strings, string returned
nothing: TypeError: McPatterns\Cache::remember(): Argument #14 ($tags) must return an array of strings, null returned
nothing: TypeError: McPatterns\Cache::remember(): Argument #14 ($tags) must return an array of strings, null returned
an empty tag: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
an empty tag: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a number: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a number: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a long tag: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a long tag: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a null byte: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
a null byte: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return strings of 1 to 250 bytes that do not begin with a null byte
many: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return at most 255 tags, including the object's tags
many: ValueError: McPatterns\Cache::remember(): Argument #14 ($tags) must return at most 255 tags, including the object's tags
an exception: DomainException: of the application
an exception: DomainException: of the application
McPatterns\Cache::remember(): Argument #14 ($tags) must be null for a Cache with several copies
computed, stored: false

--TEST--
Each unstorable value throws an UnstorableException with its readable key
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Exception, MC, NotSerializableException, Pool, StoredValueException, TooLargeException, UnstorableException};

function caught(callable $store): UnstorableException
{
    try {
        $store();
    } catch (UnstorableException $exception) {
        return $exception;
    }
    exit('nothing thrown');
}

$cache = new Cache(new Pool('memory://unstorable'));
$large = random_bytes(2 << 20);
$types = [Exception::class, TypeError::class, StoredValueException::class, TooLargeException::class, NotSerializableException::class];
foreach (['too large' => $large, 'closure' => fn () => 1, 'resource' => STDIN] as $name => $value) {
    foreach ([
        'set' => fn () => $cache->set('k', $value),
        'update' => fn () => $cache->update('k', fn () => $value),
        'setMultiple' => fn () => $cache->setMultiple([7 => $value]),
    ] as $way => $store) {
        $exception = caught($store);
        $is = array_filter($types, fn ($type) => $exception instanceof $type);
        echo "$way, $name: ", implode(' ', $is), "\n    ", $exception->getMessage(), "\n";
    }
}

echo "keys\n";
$keys = [
    'Grüße, 世界 😀', "line\nend\ttab\x7f\0nul", "binary \xff\xfe\xc3(\xe2\x82", "C1 \u{85}\u{9b}31m", "caf\xe9",
    str_repeat('a', 120), str_repeat('a', 121), str_repeat('ü', 61), str_repeat("\xff", 200),
];
foreach ($keys as $key) {
    $message = caught(fn () => $cache->set($key, STDIN))->getMessage();
    echo is_readable_text($message), ' ', strstr(substr($message, 26), ": not serializable", true), "\n";
}
function is_readable_text(string $text): string
{
    return preg_match('/^[^\x00-\x1f\x7f]*$/u', $text) ? 'readable' : 'NOT READABLE';
}
?>
--EXPECT--
set, too large: McPatterns\Exception McPatterns\StoredValueException McPatterns\TooLargeException
    Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
update, too large: McPatterns\Exception McPatterns\StoredValueException McPatterns\TooLargeException
    Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
setMultiple, too large: McPatterns\Exception McPatterns\StoredValueException McPatterns\TooLargeException
    Cannot store the value of "7": it is larger than memcached's limit of 1 MiB
set, closure: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
update, closure: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
setMultiple, closure: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "7": not serializable: Serialization of 'Closure' is not allowed
set, resource: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "k": not serializable: the value contains a resource
update, resource: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "k": not serializable: the value contains a resource
setMultiple, resource: McPatterns\Exception TypeError McPatterns\NotSerializableException
    Cannot store the value of "7": not serializable: the value contains a resource
keys
readable "Grüße, 世界 😀"
readable "line?end?tab??nul"
readable "binary ???(?"
readable "C1 ??31m"
readable "caf?"
readable "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
readable "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
readable "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü..."
readable "????????????????????????????????????????????????????????????????????????????????????????????????????????????????????????..."

--TEST--
Unstorable values throw by their kind, and keep the stored value
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, StoredValueException, UnstorableException};

class Refuser
{
    public function __serialize(): array
    {
        throw new DomainException('from __serialize');
    }
}

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://refused', compression: McPatterns\Compression::None), ttl: 10);
$large = str_repeat('x', 1024 * 1024);
$bad = [
    'closure' => fn () => 1, 'resource' => STDIN, 'resource within' => [1, [STDIN]], 'anonymous class' => new class {},
    'generator' => (fn () => yield 1)(), 'cache' => $cache, 'refuser' => new Refuser, 'large' => $large, 'large within' => [$large],
];
$ways = [
    'set' => fn ($value) => $cache->set('k', $value),
    'add' => fn ($value) => $cache->add('free', $value),
    'replace' => fn ($value) => $cache->replace('k', $value),
    'setMultiple' => fn ($value) => $cache->setMultiple(['k' => $value]),
    'publish' => fn ($value) => $cache->publish('k', $value),
    'update' => fn ($value) => $cache->update('k', fn () => $value),
];
$seen = [];
foreach ($bad as $name => $value) {
    foreach ($ways as $way => $store) {
        $cache->set('k', 'old');
        if ($way === 'publish') {
            Clock::advance(10);
            $cache->get('k');
        }
        try {
            $store($value);
            echo "$way of $name: nothing thrown\n";
        } catch (Throwable $exception) {
            $seen["$way: " . get_class($exception) . ': ' . $exception->getMessage()][] = $name;
        }
        if ($cache->peek('k') !== 'old' || $cache->has('free')) {
            echo "$way of $name changed something\n";
        }
        $cache->abandon('k');
    }
}
ksort($seen);
foreach ($seen as $message => $names) {
    echo $message, "\n    ", implode(', ', $names), "\n";
}

echo "publish of what cannot be stored keeps the claim\n";
$cache->set('k', 'old');
Clock::advance(10);
$cache->get('k');
foreach ([fn () => 1, $large] as $value) {
    try {
        $cache->publish('k', $value);
    } catch (UnstorableException) {
    }
}
var_dump($cache->publish('k', 'small enough'), $cache->get('k'));

echo "the largest value that fits can be claimed and rebuilt\n";
for ($length = 1024 * 1024; ; $length--) {
    try {
        $cache->set('k', str_repeat('x', $length));
        break;
    } catch (StoredValueException) {
    }
}
Clock::advance(10);
// Key and item stay below a mebibyte less 512; the largest header has 94 bytes (docs/spec/storage.md).
var_dump($length === 1024 * 1024 - 512 - 1 - 94 - strlen('k'), $cache->get('k', 'elected'), strlen($cache->peek('k')) === $length, $cache->publish('k', str_repeat('y', $length)));
?>
--EXPECT--
add: DomainException: from __serialize
    refuser
add: McPatterns\NotSerializableException: Cannot store the value of "free": not serializable: Serialization of 'Closure' is not allowed
    closure
add: McPatterns\NotSerializableException: Cannot store the value of "free": not serializable: Serialization of 'Generator' is not allowed
    generator
add: McPatterns\NotSerializableException: Cannot store the value of "free": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
add: McPatterns\NotSerializableException: Cannot store the value of "free": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
add: McPatterns\NotSerializableException: Cannot store the value of "free": not serializable: the value contains a resource
    resource, resource within
add: McPatterns\TooLargeException: Cannot store the value of "free": it is larger than memcached's limit of 1 MiB
    large, large within
publish: DomainException: from __serialize
    refuser
publish: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
    closure
publish: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
    generator
publish: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
publish: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
publish: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
    resource, resource within
publish: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
    large, large within
replace: DomainException: from __serialize
    refuser
replace: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
    closure
replace: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
    generator
replace: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
replace: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
replace: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
    resource, resource within
replace: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
    large, large within
set: DomainException: from __serialize
    refuser
set: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
    closure
set: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
    generator
set: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
set: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
set: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
    resource, resource within
set: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
    large, large within
setMultiple: DomainException: from __serialize
    refuser
setMultiple: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
    closure
setMultiple: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
    generator
setMultiple: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
setMultiple: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
setMultiple: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
    resource, resource within
setMultiple: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
    large, large within
update: DomainException: from __serialize
    refuser
update: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Closure' is not allowed
    closure
update: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'Generator' is not allowed
    generator
update: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'McPatterns\Cache' is not allowed
    cache
update: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: Serialization of 'class@anonymous' is not allowed
    anonymous class
update: McPatterns\NotSerializableException: Cannot store the value of "k": not serializable: the value contains a resource
    resource, resource within
update: McPatterns\TooLargeException: Cannot store the value of "k": it is larger than memcached's limit of 1 MiB
    large, large within
publish of what cannot be stored keeps the claim
bool(true)
string(12) "small enough"
the largest value that fits can be claimed and rebuilt
bool(true)
string(7) "elected"
bool(true)
bool(true)

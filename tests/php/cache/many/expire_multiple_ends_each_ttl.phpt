--TEST--
Cache::expireMultiple() expires each key, true if each had a value
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
foreach ([$server->address, 'memory://expire-many'] as $address) {
    $cache = new Cache(new Pool($address), ttl: 100);
    $other = new Cache(new Pool($address), ttl: 100);
    $cache->setMultiple(['a' => 1, 'b' => 2, 7 => 3, 'untouched' => 4]);
    $other->set('old', 'old');
    $other->expire('old');
    $other->lookup('old');
    var_dump($cache->expireMultiple(['a', 'b', 7, 'a', 'old']));
    echo json_encode($cache->getMultiple(['a', 'b', 7, 'untouched'], 'elected')), "\n";
    echo json_encode($other->getMultiple(['a', 'b', 7, 'untouched'])), "\n";
    var_dump($other->publish('old', 'late'), $cache->expireMultiple(['untouched', 'absent', 'b']));
    echo json_encode($cache->getMultiple(['untouched', 'b'], 'elected')), "\n";
    var_dump($cache->expireMultiple([]));
}
try {
    $cache->expireMultiple(['a', 1.5]);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
{"a":"elected","b":"elected","7":"elected","untouched":4}
{"a":1,"b":2,"7":3,"untouched":4}
bool(false)
bool(false)
{"untouched":"elected","b":"elected"}
bool(true)
bool(true)
{"a":"elected","b":"elected","7":"elected","untouched":4}
{"a":1,"b":2,"7":3,"untouched":4}
bool(false)
bool(false)
{"untouched":"elected","b":"elected"}
bool(true)
McPatterns\Cache::expireMultiple(): Argument #1 ($keys) must be a list of strings, float found

--TEST--
Cache::forget() deletes and returns true only if a value existed
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
foreach ([$server->address, 'memory://forget'] as $address) {
    Clock::unfreeze();
    $cache = new Cache(new Pool($address), ttl: 100);
    $other = new Cache(new Pool($address), ttl: 100);
    echo "values of every kind, each once\n";
    foreach ([null, false, 0, '', [], 'text'] as $value) {
        $cache->set('k', $value);
        echo json_encode([$cache->forget('k'), $other->forget('k'), $cache->has('k')]), "\n";
    }
    echo "an old value, and what was elected over it\n";
    $cache->set('k', 'old');
    $cache->expire('k');
    $cache->lookup('k');
    var_dump($other->forget('k'), $cache->publish('k', 'late'), $cache->peek('k'));
    echo "a computation under way is forbidden\n";
    var_dump($cache->remember('k', 10, function () use ($other) {
        var_dump($other->forget('k'));
        return 'computed';
    }), $cache->has('k'));
    echo "a running number\n";
    $cache->set('n', 5);
    $cache->increment('n');
    var_dump($cache->forget('n'), $cache->increment('n'));
    $cache->set('n', 1);
    var_dump($cache->increment('n'));
    echo "the mark of a guarded look\n";
    $guarded = new Cache(new Pool($address), 'guarded.', guarded: true);
    $guarded->get('k');
    var_dump($guarded->forget('k'), $guarded->forget('k'));
}
$server->kill();
var_dump((new Cache(new Pool($server->address)))->forget('k'));
try {
    $cache->forget('');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
values of every kind, each once
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
an old value, and what was elected over it
bool(true)
bool(false)
NULL
a computation under way is forbidden
bool(true)
string(8) "computed"
bool(false)
a running number
bool(true)
bool(false)
int(2)
the mark of a guarded look
bool(true)
bool(false)
values of every kind, each once
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
[true,false,false]
an old value, and what was elected over it
bool(true)
bool(false)
NULL
a computation under way is forbidden
bool(true)
string(8) "computed"
bool(false)
a running number
bool(true)
bool(false)
int(2)
the mark of a guarded look
bool(true)
bool(false)
bool(false)
McPatterns\Cache::forget(): Argument #1 ($key) must not be empty

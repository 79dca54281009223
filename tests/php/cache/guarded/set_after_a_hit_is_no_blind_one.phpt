--TEST--
A guarded set() replaces only the read value, else empties the key (V2, V3, V6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Transport};

Clock::freeze(1_700_000_000);
$open = fn (float $near = 0): Cache => new Cache(new Pool('memory://a'), ttl: 100, near: $near, guarded: true, holdoff: 5);
$pool = new Pool(['memory://a', 'memory://b']);
$others = new Cache($pool, ttl: 100);
$fillers = new Cache($pool, ttl: 100, guarded: true, holdoff: 5);
$key = current(array_filter(array_map(fn ($i) => "k$i", range(1, 20)), fn ($key) => $pool->serverFor($key) === 'memory://a'));
$shown = function () use ($open, $key) {
    $entry = $open()->entry($key);
    return $entry->status->name . ' ' . json_encode($entry->value) . ($entry->value !== null ? ' for ' . json_encode($entry->expiresIn) : '');
};
$begin = function (mixed $value) use ($others, $key) {
    Pool::endRequest();
    $value === null ? $others->delete($key) : $others->set($key, $value);
};

echo "nobody else: again and again\n";
$begin('one');
$open()->get($key);
var_dump($open()->set($key, 'two'), $open()->set($key, 'three'), $open()->get($key), $open()->set($key, 'four'));
echo $shown(), "\n";

echo "another's value: once nothing, then it lives for five seconds\n";
foreach (['out of memcached' => 0, 'near' => 60] as $name => $near) {
    $begin('one');
    $cache = $open($near);
    $cache->get($key);
    Pool::endRequest();
    $cache->get($key);
    $others->set($key, 'theirs');
    var_dump($cache->set($key, 'ours'));
    echo "$name: ", $shown(), "\n";
    $fillers->get($key);
    var_dump($fillers->set($key, 'filled'));
    echo $shown(), "\n";
    var_dump($cache->set($key, 'ours'));
    echo $shown(), "\n";
    Clock::advance(5);
    Pool::endRequest();
    var_dump($fillers->get($key), $open()->get($key), $fillers->set($key, 'renewed'));
    echo $shown(), "\n";
}

echo "another's value of the same bytes\n";
$begin(null);
$open()->get($key);
$others->set($key, 'same');
var_dump($open()->set($key, 'same'));
echo $shown(), "\n";

echo "another has looked and is refused; so is one more who looked then\n";
$begin(null);
$fillers->get($key);
$open()->get($key);
var_dump($open()->set($key, 'ours'), $fillers->set($key, 'theirs'));
echo $shown(), "\n";

echo "touch, a claim and a running number are no change\n";
foreach (['touch' => fn () => $others->touch($key, 50), 'claim' => fn () => $others->lookup($key), 'increment' => fn () => $others->increment($key)] as $name => $meanwhile) {
    $begin(7);
    $open()->get($key);
    $name === 'claim' && Clock::advance(100);
    $meanwhile();
    echo "$name: ", json_encode($open()->set($key, 'ours')), ' ', $shown(), "\n";
}

echo "publish() is an own store\n";
$begin('old');
Clock::advance(100);
$open()->lookup($key);
var_dump($open()->publish($key, 'published'), $open()->set($key, 'ours'));
echo $shown(), "\n";

echo "who was elected and is refused does not keep the claim\n";
$begin('old');
Clock::advance(100);
$open()->get($key);
$others->set($key, 'theirs');
var_dump($open()->set($key, 'ours'));
echo $shown(), "\n";
var_dump($open()->publish($key, 'ours'));

echo "what was counted\n";
$cache = $open();
$begin(null);
$cache->get($key);
$others->set($key, 'theirs');
$cache->set($key, 'ours');
echo json_encode(array_intersect_key($cache->stats(), ['discarded' => 0, 'changed' => 0, 'errors' => 0, 'stores' => 0])), "\n";
?>
--EXPECT--
nobody else: again and again
bool(true)
bool(true)
string(5) "three"
bool(true)
Fresh "four" for 100
another's value: once nothing, then it lives for five seconds
bool(false)
out of memcached: Miss null
bool(true)
Fresh "filled" for 5
bool(false)
Fresh "filled" for 5
NULL
string(6) "filled"
bool(true)
Fresh "renewed" for 100
bool(false)
near: Miss null
bool(true)
Fresh "filled" for 5
bool(false)
Fresh "filled" for 5
NULL
string(6) "filled"
bool(true)
Fresh "renewed" for 100
another's value of the same bytes
bool(true)
Fresh "same" for 100
another has looked and is refused; so is one more who looked then
bool(true)
bool(false)
Miss null
touch, a claim and a running number are no change
touch: true Fresh "ours" for 100
claim: true Fresh "ours" for 100
increment: true Fresh "ours" for 100
publish() is an own store
bool(true)
bool(true)
Fresh "ours" for 100
who was elected and is refused does not keep the claim
bool(false)
Miss null
bool(false)
what was counted
{"discarded":0,"changed":1,"errors":0}

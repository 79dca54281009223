--TEST--
Cache::abandon() through any object lets the next caller be elected (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$new_host = fn () => new Cache(new Pool('memory://abandon'), ttl: 100, lease: 10);
$other = $new_host();
$elect = function (Cache $cache) use ($other) {
    $other->set('k', 'old');
    Clock::advance(100);
    assert($cache->get('k', 'elected') === 'elected');
};

$cache = $new_host();
$elect($cache);
var_dump($other->get('k'), $cache->abandon('k'), $cache->abandon('k'), $other->get('k', 'elected'));

echo "the object dies: the process still holds it\n";
$elect($cache);
$cache = null;
var_dump($other->get('k'), $new_host()->abandon('k'), $other->get('k', 'elected'));

echo "the key was set through another object: nothing to give back\n";
$elect($new_host());
$new_host()->set('k', 'new');
var_dump($new_host()->abandon('k'), $other->get('k'));

echo "its lease had run out, and another has the claim: each its own\n";
$elect($cache = $new_host());
Clock::advance(10);
$third = $new_host();
var_dump($third->get('k', 'elected'));
var_dump($cache->abandon('k'));
var_dump($other->get('k'), $third->publish('k', 'third'));

echo "many claims\n";
for ($i = 0; $i < 40; $i++) {
    $other->set("k$i", $i);
}
Clock::advance(100);
for ($i = 0; $i < 40; $i++) {
    $new_host()->get("k$i");
}
$abandoned = count(array_filter(range(0, 39), fn ($i) => $new_host()->abandon("k$i")));
$elected = count(array_filter(range(0, 39), fn ($i) => $other->get("k$i", 'elected') === 'elected'));
var_dump($abandoned, $elected);
?>
--EXPECT--
string(3) "old"
bool(true)
bool(false)
string(7) "elected"
the object dies: the process still holds it
string(3) "old"
bool(true)
string(7) "elected"
the key was set through another object: nothing to give back
bool(false)
string(3) "new"
its lease had run out, and another has the claim: each its own
string(7) "elected"
bool(false)
string(3) "old"
bool(true)
many claims
int(40)
int(40)

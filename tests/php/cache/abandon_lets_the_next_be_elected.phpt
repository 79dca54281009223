--TEST--
Cache::abandon(), and the end of the object that holds a claim, let the next caller be elected at once (C6)
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

echo "the object dies\n";
$elect($cache);
var_dump($other->get('k'));
$cache = null;
var_dump($other->get('k', 'elected'));

echo "it had set the key: nothing to give back\n";
$elect($cache = $new_host());
$cache->set('k', 'new');
$cache = null;
var_dump($other->get('k'));

echo "its lease had run out, and another has the claim\n";
$elect($cache = $new_host());
Clock::advance(10);
$third = $new_host();
var_dump($third->get('k', 'elected'));
var_dump($cache->abandon('k'));
$cache = null;
var_dump($other->get('k'), $third->publish('k', 'third'));

echo "many claims\n";
$cache = $new_host();
for ($i = 0; $i < 40; $i++) {
    $other->set("k$i", $i);
}
Clock::advance(100);
for ($i = 0; $i < 40; $i++) {
    $cache->get("k$i");
}
$count = fn () => count(array_filter(range(0, 39), fn ($i) => $other->get("k$i", 'elected') === 'elected'));
var_dump($count());
$cache = null;
var_dump($count());
?>
--EXPECT--
string(3) "old"
bool(true)
bool(false)
string(7) "elected"
the object dies
string(3) "old"
string(7) "elected"
it had set the key: nothing to give back
string(3) "new"
its lease had run out, and another has the claim
string(7) "elected"
bool(false)
string(3) "old"
bool(true)
many claims
int(0)
int(40)

--TEST--
A value with grace 0 is never served after its TTL (C7)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://strict'), ttl: 1, grace: 0, lease: 5);
$other = new Cache(new Pool('memory://strict'), ttl: 1, grace: 0, lease: 5);

$cache->set('n', 5);
var_dump($cache->increment('n'), $cache->get('n'));
Clock::advance(1);
var_dump($cache->get('n', 'default'), $other->get('n', 'default'), $cache->peek('n'), $cache->has('n'));
var_dump($cache->increment('n'), $cache->pull('n'), $cache->replace('n', 1), $cache->expire('n'), $cache->touch('n'));
var_dump($cache->getMultiple(['n'], 'default'));
echo $cache->stats()['elected'], $other->stats()['elected'], "\n";

echo "a thousand keys, every 10 ms across the end\n";
for ($i = 0; $i < 1000; $i++) {
    $cache->set("k$i", $i, $ttl = 0.2 + $i / 10_000);
    $ends_ms[] = ceil($ttl * 1000);
}
$served_late = $missed_early = $reads = 0;
for ($ms = 0; $ms <= 400; $ms += 10) {
    $values = $cache->getMultiple(array_map(fn ($i) => "k$i", range(0, 999)));
    for ($i = 0; $i < 1000; $i++) {
        $is_served = $values["k$i"] === $i;
        $may_be_served = $ms < $ends_ms[$i];
        $served_late += $is_served && !$may_be_served;
        $missed_early += !$is_served && $may_be_served;
        $reads += $is_served;
    }
    Clock::advance(0.01);
}
var_dump($served_late, $missed_early, $reads > 20_000);

echo "remember\n";
$cache->set('k', 'old');
Clock::advance(1);
var_dump($cache->remember('k', null, function () use ($other) {
    var_dump($other->get('k', 'nothing while it is computed'));
    return 'new';
}), $other->remember('k', null, fn () => 'again'));
?>
--EXPECT--
int(6)
int(6)
string(7) "default"
string(7) "default"
NULL
bool(false)
bool(false)
NULL
bool(false)
bool(false)
bool(false)
array(1) {
  ["n"]=>
  string(7) "default"
}
00
a thousand keys, every 10 ms across the end
int(0)
int(0)
bool(true)
remember
string(28) "nothing while it is computed"
string(3) "new"
string(3) "new"

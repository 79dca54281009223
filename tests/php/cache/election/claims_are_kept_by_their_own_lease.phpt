--TEST--
A claim lasts its own lease, and unfulfilled claims do not accumulate (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://kept');
$cache = new Cache($pool, ttl: 10_000, lease: 1);
$expire = function (string $key) use ($cache) {
    $cache->set($key, 'old');
    $cache->expire($key);
};
/** So many elections that claims of long ago are looked for. */
$be_elected = function (int $count) use ($cache, $expire) {
    for ($i = 0; $i < $count; $i++) {
        $expire("other $i");
        $cache->get("other $i");
    }
};

echo "remember with a longer lease than its object's\n";
$expire('long');
echo $cache->remember('long', null, function () use ($be_elected) {
    Clock::advance(50);
    $be_elected(100);
    return 'computed';
}, lease: 60), ' ', $cache->peek('long'), ' ', $cache->entry('long')->status->name, "\n";

echo "lookup of an object with a longer lease than another's\n";
$expire('by hand');
(new Cache($pool, lease: 60))->lookup('by hand');
Clock::advance(50);
$be_elected(100);
var_dump($cache->publish('by hand', 'computed'));

echo "never fulfilled, or set: no more of them than live at one time\n";
$grow = function (callable $each) use ($cache, $expire) {
    $use = function (int $from) use ($cache, $expire, $each) {
        for ($i = $from; $i < $from + 2000; $i++) {
            $expire("key $i");
            $cache->get("key $i");
            $each("key $i");
            Clock::advance(1);
        }
    };
    $use(0);
    $before = memory_get_usage();
    $use(2000);
    $use(4000);
    return memory_get_usage() - $before < 20_000;
};
var_dump($grow(fn () => null), $grow(fn ($key) => $cache->set($key, 'new')), $grow(fn ($key) => $cache->remember($key, null, fn () => 'new', wait: 0)));
?>
--EXPECT--
remember with a longer lease than its object's
computed computed Fresh
lookup of an object with a longer lease than another's
bool(true)
never fulfilled, or set: no more of them than live at one time
bool(true)
bool(true)
bool(true)

--TEST--
Abandoning a later claim keeps the process's earlier claim and result (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://apart'), ttl: 1000, lease: 2);
$expire = function (string $key) use ($cache) {
    $cache->set($key, 'old');
    $cache->expire($key);
};
$tell = function (string $key) use ($cache, &$before) {
    $stats = $cache->stats();
    echo $key, ': ', $cache->peek($key), ', stored ', $stats['stored'] - $before['stored'], ', discarded ', $stats['discarded'] - $before['discarded'], "\n";
};

foreach (['throws' => fn () => throw new DomainException('later'), 'is dropped' => fn () => Fiber::suspend()] as $name => $later) {
    $expire($name);
    $before = $cache->stats();
    $first = new Fiber(fn () => $cache->remember($name, null, function () {
        Fiber::suspend();
        return 'first';
    }));
    $first->start();
    Clock::advance(3); // its lease is over
    $second = new Fiber(fn () => $cache->remember($name, null, $later));
    try {
        $second->start();
    } catch (DomainException) {
    }
    $second = null;
    gc_collect_cycles();
    $first->resume();
    $tell($name);
}

foreach (['abandon' => fn ($key) => $cache->lookup($key) && $cache->abandon($key), 'publish' => fn ($key) => $cache->lookup($key) && $cache->publish($key, 'second')] as $name => $later) {
    $expire($name);
    $before = $cache->stats();
    $answer = $cache->remember($name, null, function () use ($later, $name) {
        Clock::advance(3);
        var_dump($later($name));
        return 'first';
    });
    echo $answer, ' ';
    $tell($name);
}

echo "a claim of a call is no other object's to end\n";
$expire('k');
$before = $cache->stats();
$cache->remember('k', null, function () use ($cache) {
    $other = new Cache(new Pool('memory://apart'));
    var_dump($cache->abandon('k'), $cache->publish('k', 'published'), $other->abandon('k'), $other->publish('k', 'published'));
    return 'computed';
});
$tell('k');
?>
--EXPECT--
throws: first, stored 1, discarded 0
is dropped: first, stored 1, discarded 0
bool(true)
first abandon: first, stored 1, discarded 0
bool(true)
first publish: second, stored 1, discarded 1
a claim of a call is no other object's to end
bool(false)
bool(false)
bool(false)
bool(false)
k: computed, stored 1, discarded 0

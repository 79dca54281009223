--TEST--
A Fiber destroyed while suspended in remember()'s callback releases its claim (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://fibers');
$cache = new Cache($pool, ttl: 10, lease: 1000);
$other = new Cache($pool, ttl: 10, lease: 1000);

foreach (['hot', 'cold'] as $kind) {
    if ($kind === 'hot') {
        $cache->set($kind, 'old');
        Clock::advance(10);
    }
    $fiber = new Fiber(fn () => $cache->remember($kind, null, function () {
        try {
            Fiber::suspend();
        } finally {
            echo "destroyed\n";
        }
    }));
    $fiber->start();
    echo $kind, ': ', $other->lookup($kind)->status->name, ', ';
    $fiber = null;
    gc_collect_cycles();
    echo $kind === 'hot' ? $other->lookup($kind)->status->name : $other->remember($kind, null, fn () => 'elected at once', wait: 0), "\n";
}
echo 'the key can be computed again: ', $cache->remember('cold', null, fn () => 'no'), "\n";
Clock::advance(10);
echo $cache->remember('cold', null, fn () => 'yes'), "\n";

echo "a generator that is dropped in the middle\n";
$cache->set('g', 'old');
Clock::advance(10);
$generate = function () use ($cache) {
    $cache->get('g');
    yield 1;
};
$generator = $generate();
$generator->current();
$generator = null;
echo $other->get('g'), "\n";
$cache = null;
echo $other->lookup('g')->status->name, "\n";
?>
--EXPECT--
hot: Busy, destroyed
Elected
cold: Busy, destroyed
elected at once
the key can be computed again: elected at once
yes
a generator that is dropped in the middle
old
Busy

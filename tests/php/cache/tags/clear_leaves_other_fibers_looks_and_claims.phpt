--TEST--
clear() and flush() end no lookup or claim of another Fiber (T7, T8, N4.1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://fibers'), 'shop.', ttl: 1000, clearable: true);
$status = fn () => $cache->entry('k')->status->name;
$empties = ['clear' => fn () => $cache->clear(), 'clear softly' => fn () => $cache->clear(false), 'flush' => fn () => (new Pool('memory://fibers'))->flush()];
/** Begins in a Fiber, empties outside or in another one, and goes on. */
$around = function (callable $begin, callable $between, callable $end): mixed {
    $fiber = new Fiber(function () use ($begin, $end) {
        $begin();
        Fiber::suspend();
        return $end();
    });
    $fiber->start();
    $between();
    $fiber->resume();
    return $fiber->getReturn();
};
$get = fn () => $cache->get('k');
$set = fn () => $cache->set('k', 'computed');
foreach ($empties as $name => $empty) {
    $in_a_fiber = fn () => (new Fiber($empty))->start();
    $told = [];
    foreach ([
        "the looker's" => [$get, fn () => null, fn () => $empty() && $set()],
        'from outside' => [$get, $empty, $set],
        "by another's" => [$get, $in_a_fiber, $set],
        'both looked' => [$get, fn () => $get() . $empty(), $set],
        'both, as the one that cleared' => [$get, fn () => $get() . $empty() . $set(), fn () => null],
    ] as $who => [$begin, $between, $end]) {
        $cache->set('k', 1);
        $around($begin, $between, $end);
        $told[] = "$who " . $status();
    }
    $cache->set('k', 1);
    $get();
    $in_a_fiber();
    $set();
    $told[] = "ours " . $status();
    $cache->set('k', 1);
    $get();
    $around($get, $empty, $set);
    $told[] = 'looked after us ' . $status();
    echo "$name: ", implode(', ', $told), "\n";

    $told = [];
    $cache->set('k', 1);
    $cache->expire('k');
    $told[] = $around(fn () => $cache->lookup('k'), $empty, fn () => $cache->publish('k', 'computed'));
    $told[] = $status();
    $cache->set('k', 1);
    $cache->expire('k');
    $remember = fn (callable $between) => $cache->remember('k', null, fn () => [$between(), 'computed'][1]);
    $fiber = new Fiber(fn () => $remember(fn () => Fiber::suspend()));
    $fiber->start();
    $empty();
    $fiber->resume();
    $told[] = $fiber->getReturn();
    $told[] = $status();
    echo '... ', json_encode($told), "\n";
}
?>
--EXPECT--
clear: the looker's Fresh, from outside Miss, by another's Miss, both looked Miss, both, as the one that cleared Miss, ours Miss, looked after us Miss
... [true,"Miss","computed","Miss"]
clear softly: the looker's Fresh, from outside Stale, by another's Stale, both looked Stale, both, as the one that cleared Stale, ours Stale, looked after us Stale
... [true,"Stale","computed","Stale"]
flush: the looker's Fresh, from outside Miss, by another's Miss, both looked Miss, both, as the one that cleared Miss, ours Miss, looked after us Miss
... [false,"Miss","computed","Miss"]

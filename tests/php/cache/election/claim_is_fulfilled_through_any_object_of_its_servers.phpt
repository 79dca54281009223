--TEST--
A Cache with the same servers and prefix can end any claim (C6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

Clock::freeze(1_700_000_000);
$servers = 'memory://items';
$same = [
    'another object' => fn () => new Cache(new Pool($servers), 'p:', ttl: 100),
    'the prefix in the pool' => fn () => new Cache(new Pool($servers, 'p:'), ttl: 100),
    'another timeout' => fn () => new Cache(new Pool($servers, timeout: 3), 'p:', ttl: 100),
    'a connection of its own' => fn () => new Cache(new Pool($servers, persistent: false), 'p:', ttl: 100),
];
$others = [
    'another prefix' => fn () => new Cache(new Pool($servers), 'q:', ttl: 100),
    'another server' => fn () => new Cache(new Pool('memory://elsewhere'), 'p:', ttl: 100),
];
$watch = new Cache(new Pool($servers), 'p:', ttl: 100);
$elect = function () use ($servers, $watch) {
    $watch->set('k', 'old');
    Clock::advance(100);
    (new Cache(new Pool($servers), 'p:', ttl: 100))->get('k');
    assert($watch->entry('k')->status->name === 'Busy');
};
foreach ($same + $others as $name => $make) {
    $seen = [];
    foreach (['publish' => fn ($cache) => $cache->publish('k', 'new'), 'abandon' => fn ($cache) => $cache->abandon('k')] as $act => $end) {
        $elect();
        $seen[] = $act . ' ' . json_encode($end($make())) . ', ' . $watch->entry('k')->status->name;
    }
    // What is set is not given back later: a claim of the same token would be gone from a newer value.
    $elect();
    $make()->set('k', 'set');
    $seen[] = 'abandon after set ' . json_encode($make()->abandon('k'));
    echo $name, ': ', implode('; ', $seen), "\n";
}
$elect();
MC::use($watch);
var_dump(MC::set('k', 'by MC'), (new Cache(new Pool($servers), 'p:'))->abandon('k'));
?>
--EXPECT--
another object: publish true, Fresh; abandon true, Stale; abandon after set false
the prefix in the pool: publish true, Fresh; abandon true, Stale; abandon after set false
another timeout: publish true, Fresh; abandon true, Stale; abandon after set false
a connection of its own: publish true, Fresh; abandon true, Stale; abandon after set false
another prefix: publish false, Busy; abandon false, Busy; abandon after set false
another server: publish false, Busy; abandon false, Busy; abandon after set false
bool(true)
bool(false)

--TEST--
set() after the process's own clear() or flush() stores fresh values (T7, N4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$open = fn (string|array $servers = 'memory://a', string $of = '', string $prefix = 'shop.', bool $clearable = true): Cache =>
    new Cache(new Pool($servers, $of), $prefix, ttl: 1000, clearable: $clearable);
$cache = $open();
$flush = fn (string ...$servers): bool => (new Pool($servers))->flush();
$status = fn (Cache $cache, string $key = 'k') => $cache->entry($key)->status->name;

echo "however it looked, and whatever it found\n";
$looks = [
    'get' => fn () => $cache->get('k'),
    'has' => fn () => $cache->has('k'),
    'entry' => fn () => $cache->entry('k'),
    'getMultiple' => fn () => $cache->getMultiple(['k', 'l']),
    'remember' => fn () => $cache->remember('k', null, fn () => 'computed'),
];
$founds = ['hit' => fn () => $cache->setMultiple(['k' => 1, 'l' => 1]), 'miss' => fn () => $cache->deleteMultiple(['k', 'l'])];
$empties = ['clear' => fn () => $cache->clear(), 'clear softly' => fn () => $cache->clear(false), 'flush' => fn () => $flush('memory://a')];
$fresh = 0;
foreach ($founds as $found => $begin) {
    foreach ($looks as $look) {
        foreach ($empties as $empty) {
            $begin();
            $look();
            $empty() && $cache->set('k', 2) && $cache->setMultiple(['l' => 3]) || print "not stored\n";
            $fresh += ($status($cache) === 'Fresh') + ($status($cache, 'l') === 'Fresh');
        }
    }
}
echo "$fresh of 60 are fresh\n";

echo "whatever object has looked: after clear, after flush\n";
$looked = [
    'another object' => $open(),
    'the server in a list' => $open(['memory://a']),
    'not clearable' => $open(clearable: false),
    'another prefix' => $open(prefix: 'shop.eu.'),
    "another Pool's prefix" => $open(of: 'of.'),
    'one server more' => $open(['memory://a', 'memory://b']),
    'another server' => $open('memory://b'),
];
foreach ($looked as $name => $of) {
    $view = $of->tagged('t');
    $told = [];
    foreach ([$empties['clear'], $empties['flush']] as $empty) {
        foreach (['k', 'l', 'm', 'n'] as $key) { // on one server or the other
            $view->set($key, 1);
            $view->get($key);
        }
        (new Fiber(fn () => $view->invalidateTags('t')))->start(); // as another process does
        $empty();
        $view->setMultiple(['k' => 2, 'l' => 2, 'm' => 2, 'n' => 2]);
        $told[] = implode(' ', array_unique(array_map(fn ($key) => $status($view, $key), ['k', 'l', 'm', 'n'])));
    }
    echo "$name: ", implode(', ', $told), "\n";
}

echo "what failed counts where it was told; a flush that failed ends nothing\n";
$half = $open(['memory://a', '127.0.0.1:1']);
$key = current(array_filter(['k', 'l', 'm', 'n', 'o', 'p', 'q', 'r'], fn ($key) => (new Pool(['memory://a', '127.0.0.1:1']))->serverFor("shop.$key") === 'memory://a'));
foreach ([fn () => $half->clear(false), fn () => $flush('memory://a', '127.0.0.1:1')] as $empty) {
    $half->set($key, 1);
    $half->get($key);
    var_dump($empty());
    $half->set($key, 2);
    echo $status($half, $key), "\n";
}

echo "delete() is no such end\n";
$view = $cache->tagged('t');
$view->set('k', 1);
$view->get('k');
(new Fiber(fn () => $view->invalidateTags('t')))->start();
$view->delete('k');
$view->set('k', 2);
echo $status($view), "\n";
?>
--EXPECT--
however it looked, and whatever it found
60 of 60 are fresh
whatever object has looked: after clear, after flush
another object: Fresh, Fresh
the server in a list: Fresh, Fresh
not clearable: Fresh, Fresh
another prefix: Stale, Fresh
another Pool's prefix: Stale, Fresh
one server more: Stale, Fresh Stale
another server: Stale, Stale
what failed counts where it was told; a flush that failed ends nothing
bool(false)
Fresh
bool(false)
Miss
delete() is no such end
Stale

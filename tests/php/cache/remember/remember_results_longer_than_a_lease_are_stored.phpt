--TEST--
A result that takes longer than its lease is stored (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_000_000);
$cache = new Cache(new Pool('memory://leases'), ttl: 100, lease: 1);

echo "many claims at once\n";
$keys = array_map(fn (int $number) => "many $number", range(1, 40));
$cache->rememberMany($keys, null, function (array $missing) use ($cache) {
    Clock::advance(2.5);
    $cache->remember('another', null, fn () => 1);
    return array_fill_keys($missing, 'computed');
});
echo count(array_filter($cache->getMultiple($keys))), "\n";

echo "many claims by hand\n";
$cache->setMultiple(array_fill_keys($keys, 'old'));
Clock::advance(100);
$cache->getMultiple($keys);
Clock::advance(2.5);
$cache->set('expiring', 1);
$cache->expire('expiring');
$cache->get('expiring');
echo count(array_filter($keys, fn (string $key) => $cache->publish($key, 'published'))), "\n";

echo "two Fibers on one key\n";
$compute = fn (string $answer) => new Fiber(fn () => $cache->remember('k', null, function () use ($answer) {
    Fiber::suspend();
    return $answer;
}));
$first = $compute('first');
$second = $compute('second');
$first->start();
Clock::advance(1.5);
$second->start(); // the lease is over: elected too
$first->resume();
echo json_encode($cache->peek('k')), ', ';
$second->resume();
echo json_encode($cache->peek('k')), "\n";

echo "asks for its own key\n";
$cache->remember('own', null, function () use ($cache) {
    Clock::advance(1.5);
    echo json_encode($cache->get('own')), ', ';
    return 'computed';
});
echo json_encode($cache->peek('own')), "\n";
?>
--EXPECT--
many claims at once
40
many claims by hand
40
two Fibers on one key
"first", "second"
asks for its own key
null, "computed"

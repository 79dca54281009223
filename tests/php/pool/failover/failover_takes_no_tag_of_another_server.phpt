--TEST--
A value with a tag version of another server is a miss (T2, T7)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/actor.inc';

$servers = [start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 5, failover: true);
$keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 200)), fn ($key) => $pool->serverFor($key) === $servers[0]->name));
$noticed = array_pop($keys);
$next = function () use (&$keys) { return array_pop($keys); };

$plain = new Cache($pool, ttl: 3600, grace: 3600);
$caches = ['view' => $plain->tagged('a'), 'clearable' => new Cache($pool, ttl: 3600, grace: 3600, clearable: true)];

$away = function () use ($servers, $plain, $noticed) {
    $servers[0]->freeze();
    $plain->get($noticed);
};
$back = function () use ($servers, $plain, $noticed) {
    $servers[0]->thaw();
    Clock::advance(6);
    $plain->get($noticed);
};
$elect = function (Cache $cache, string $key) {
    $cache->set($key, 'old');
    $cache->expire($key);
    $cache->get($key);
};
$stores = fn (Cache $cache) => [
    'set' => $cache->set(...),
    'add' => $cache->add(...),
    'setMultiple' => fn ($key, $value) => $cache->setMultiple([$key => $value]),
];
/** Two stores, and what is found after each: through the cache itself, by many, and through a cache without tags. */
$store = function (Cache $cache, string $key, Closure $set) use ($plain) {
    $found = [];
    foreach (['first', 'second'] as $value) {
        $found[] = json_encode([$set($key, $value), $cache->get($key), $cache->getMultiple([$key])[$key], $plain->get($key)]);
    }
    return implode(' ', $found) . "\n";
};

foreach ($caches as $name => $cache) {
    echo "--- $name\n";
    foreach ($stores($cache) as $method => $set) {
        [$looked, $elected, $never, $while] = [$next(), $next(), $next(), $next()];
        $cache->get($looked);
        $elect($cache, $elected);
        $away();
        $cache->get($while);
        echo "$method, looked before: ", $store($cache, $looked, $set);
        echo "$method, elected before: ", $store($cache, $elected, $set);
        echo "$method, never looked: ", $store($cache, $never, $set);
        $back();
        echo "$method, looked meanwhile: ", $store($cache, $while, $set);
    }

    // Who computes by remember has the numbers of the server that it stores on.
    $key = $next();
    $cache->get($key);
    $away();
    echo 'remember: ', json_encode([$cache->remember($key, null, fn () => 'once'), $cache->remember($key, null, fn () => 'twice')]), "\n";
    $back();
}

// What it is for: between the look and the store the value was invalidated, acknowledged by all servers.
echo "--- invalidated\n";
$other = new Actor(fn (string $do) => match ($do) {
    'view' => $plain->deleteTags('a'),
    'clearable' => $caches['clearable']->clear(),
});
foreach ($caches as $name => $cache) {
    $key = $next();
    $cache->get($key);
    echo "$name: ", json_encode([$other->ask($name), $away(), $cache->set($key, 'of before'), $cache->get($key)]), "\n";
    $back();
}
?>
--EXPECT--
--- view
set, looked before: [true,null,null,null] [true,"second","second","second"]
set, elected before: [true,null,null,null] [true,"second","second","second"]
set, never looked: [true,"first","first","first"] [true,"second","second","second"]
set, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
add, looked before: [true,null,null,null] [true,"second","second","second"]
add, elected before: [true,null,null,null] [true,"second","second","second"]
add, never looked: [true,"first","first","first"] [false,"first","first","first"]
add, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
setMultiple, looked before: [true,null,null,null] [true,"second","second","second"]
setMultiple, elected before: [true,null,null,null] [true,"second","second","second"]
setMultiple, never looked: [true,"first","first","first"] [true,"second","second","second"]
setMultiple, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
remember: ["once","once"]
--- clearable
set, looked before: [true,null,null,null] [true,"second","second","second"]
set, elected before: [true,null,null,null] [true,"second","second","second"]
set, never looked: [true,"first","first","first"] [true,"second","second","second"]
set, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
add, looked before: [true,null,null,null] [true,"second","second","second"]
add, elected before: [true,null,null,null] [true,"second","second","second"]
add, never looked: [true,"first","first","first"] [false,"first","first","first"]
add, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
setMultiple, looked before: [true,null,null,null] [true,"second","second","second"]
setMultiple, elected before: [true,null,null,null] [true,"second","second","second"]
setMultiple, never looked: [true,"first","first","first"] [true,"second","second","second"]
setMultiple, looked meanwhile: [true,null,null,null] [true,"second","second","second"]
remember: ["once","once"]
--- invalidated
view: [true,null,true,null]
clearable: [true,null,true,null]

--TEST--
Strings enter the object cache on their second shared near hit (P8.4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$first = new Cache($pool, near: 60);
$values = ['string' => 'a string', 'array' => ['an', 'array'], 'number' => 42];
$first->setMultiple($values);
$first->getMultiple(array_keys($values));
$first->getMultiple(array_keys($values));
echo 'asked for once: ', json_encode(array_intersect_key($first->stats(), ['near' => 0, 'near_shared' => 0])), "\n";

$readers = [
    'get' => fn (Cache $cache, string $key) => $cache->get($key),
    'remember' => fn (Cache $cache, string $key) => $cache->remember($key, null, fn () => 'computed'),
    'entry' => fn (Cache $cache, string $key) => $cache->entry($key)->value,
    'getMultiple' => fn (Cache $cache, string $key) => $cache->getMultiple([$key])[$key],
];
foreach ($readers as $method => $read) {
    echo "$method:";
    foreach ($values as $key => $value) {
        $cache = new Cache($pool, near: 60);
        for ($i = 0; $i < 4; $i++) {
            if ($read($cache, $key) !== $value) {
                echo ' another value';
            }
        }
        ['near' => $near, 'near_shared' => $shared] = $cache->stats();
        echo " $key $near, of these $shared shared;";
    }
    echo "\n";
}

// More names than are told apart at once: each value is its own key's.
$keys = array_map(fn (int $number): string => "key $number", range(1, 400));
$first->setMultiple(array_combine($keys, $keys));
$first->getMultiple($keys);
$cache = new Cache($pool, near: 60);
$wrong = 0;
for ($round = 0; $round < 4; $round++) {
    foreach ($keys as $key) {
        $wrong += $cache->get($key) !== $key;
    }
}
echo "wrong: $wrong\n";
?>
--EXPECT--
asked for once: {"near":3,"near_shared":0}
get: string 4, of these 2 shared; array 4, of these 1 shared; number 4, of these 1 shared;
remember: string 4, of these 2 shared; array 4, of these 1 shared; number 4, of these 1 shared;
entry: string 4, of these 2 shared; array 4, of these 1 shared; number 4, of these 1 shared;
getMultiple: string 4, of these 2 shared; array 4, of these 1 shared; number 4, of these 1 shared;
wrong: 0

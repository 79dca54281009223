--TEST--
Different non-empty keys of any bytes never collide
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$keys = ['0', ' ', "\n", "a b", 'a', "a\0", "a\0b", "\r\nflush_all\r\n", "k_increment", 'k', 'lock:k', 'online:k', 'seen:k', "\xff\xfe", 'ключ', "\u{1F600}"];
for ($byte = 0; $byte < 256; $byte++) {
    $keys[] = 'byte' . chr($byte);
}
foreach ([200, 239, 240, 249, 250, 251, 252, 1000, 100_000] as $length) {
    $keys[] = str_repeat('x', $length);
    $keys[] = str_repeat('x', $length - 1) . 'y';
}
assert(count(array_unique($keys)) === count($keys));

$server = start_memcached();
foreach (['memory://keys', $server->address] as $address) {
    foreach ([['', ''], ['pool:', ''], ['', 'a scope'], ['pool:', 'scope:']] as [$prefix, $scope]) {
        $cache = new Cache(new Pool($address, $prefix), $scope);
        $wrong = 0;
        foreach ($keys as $i => $key) {
            $wrong += !$cache->set($key, $i);
        }
        foreach ($keys as $i => $key) {
            $wrong += $cache->get($key) !== $i;
        }
        $wrong += array_values($cache->getMultiple($keys)) !== array_keys($keys);
        foreach ($keys as $i => $key) {
            $wrong += $cache->increment($key) !== $i + 1;
            $wrong += !$cache->delete($key) || $cache->has($key);
        }
        echo $wrong, ' ';
    }
}
echo "\n", $server->stats()['curr_items'] - count($keys) * 4, " items beside the running numbers\n";
?>
--EXPECT--
0 0 0 0 0 0 0 0 
0 items beside the running numbers

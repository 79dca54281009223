--TEST--
Values up to the server's limit are stored, larger ones not sent
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

foreach (['512k' => [600_000, 400_000], '2m' => [2_100_000, 2_000_000]] as $limit => [$over, $under]) {
    $server = start_memcached(['arguments' => ['-I', $limit]]);
    $cache = new Cache(new Pool($server->address, compression: McPatterns\Compression::None), ttl: 100);
    $cache->set('key', 'old');
    try {
        $cache->set('key', str_repeat('v', $over));
    } catch (McPatterns\StoredValueException $exception) {
        echo $exception->getMessage(), "\n";
    }
    var_dump($cache->get('key'), $cache->set('key', str_repeat('v', $under)), strlen($cache->get('key')) === $under);
    // An old one of this size can be claimed, and published over.
    $cache->expire('key');
    var_dump($cache->remember('key', 10, fn () => str_repeat('w', $under)) === str_repeat('w', $under));
    var_dump($cache->get('key')[0]);
}
?>
--EXPECT--
Cannot store the value of "key": it is larger than memcached's limit of 524288 bytes
string(3) "old"
bool(true)
bool(true)
bool(true)
string(1) "w"
Cannot store the value of "key": it is larger than memcached's limit of 2 MiB
string(3) "old"
bool(true)
bool(true)
bool(true)
string(1) "w"

--TEST--
A discovered Cache with copies works after its Pool's close()
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$kept = KeptCertificates::wanted();
$endpoint = start_discovery_endpoint($kept === null ? [] : ['tls' => $kept, 'password' => 'tester:s3cret']);
$address = $kept === null ? "discover://$endpoint->address" : "discover://tls://$endpoint->address";
$access = $kept === null ? [] : ['user' => 'tester', 'password' => 's3cret'];
$endpoint->tell(1, [start_memcached(['tcp' => true])->name]);
foreach ([true, false] as $is_persistent) {
    $pool = new Pool($address, ...$access + ['timeout' => 5, 'connectTimeout' => 5, 'persistent' => $is_persistent]);
    $cache = new Cache($pool, $is_persistent ? 'kept:' : 'own:', copies: 2);
    $close = function (mixed $value) use ($pool): mixed {
        $pool->close();
        return $value;
    };
    var_dump($cache->remember('key', 600, fn (): int => $close(1)), $cache->remember('key', 600, fn (): int => $close(2)));
    var_dump($cache->remember('key', 600, fn (): int => $close(3), force: true), $cache->get('key'));
    $made = ['a' => 'a', 'b' => 'b', 'c' => 'c'];
    var_dump($cache->rememberMany(['a', 'b', 'c'], 600, fn (array $names): array => $close(array_combine($names, $names))) === $made);
    var_dump($cache->getMultiple(['a', 'b', 'c']) === $made);
    var_dump($cache->update('key', fn (int $value): int => $close($value + 10)), $cache->get('key'));
}
?>
--EXPECT--
int(1)
int(1)
int(3)
int(3)
bool(true)
bool(true)
int(13)
int(13)
int(1)
int(1)
int(3)
int(3)
bool(true)
bool(true)
int(13)
int(13)

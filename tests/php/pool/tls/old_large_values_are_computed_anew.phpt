--TEST--
A stale value of many TLS records is rebuilt by 1 caller
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Compression, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$certificates = new TestCertificates();
$server = start_memcached(['tls' => $certificates, 'arguments' => ['-I', '2m']]);
$pool = new Pool($server->address, connectTimeout: 5, timeout: 5, transport: Transport::Direct, tls: $certificates->client_options(), compression: Compression::None);
$cache = new Cache($pool, ttl: 100);
// One record, with what is asked behind it and without, and several.
foreach ([15000, 15800, 16384, 17000, 400_000] as $size) {
    $cache->set('key', str_repeat('v', $size));
    $cache->expire('key');
    $computed = $cache->remember('key', 10, fn () => str_repeat('w', $size)) === str_repeat('w', $size);
    $stands = $cache->get('key') === str_repeat('w', $size);
    echo $size, $computed ? ' computed' : ' not computed', $stands ? ' and published' : ' and lost', "\n";
}
var_dump(current($pool->lastErrors()));
?>
--EXPECT--
15000 computed and published
15800 computed and published
16384 computed and published
17000 computed and published
400000 computed and published
NULL

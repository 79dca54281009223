--TEST--
discover://tls:// uses TLS, certificates and passwords for endpoint and servers
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl') || !in_array('tls', stream_get_transports())) {
    die('skip needs pcntl and openssl');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$certificates = new TestCertificates();
$nodes = array_map(fn (): string => start_memcached(['tls' => $certificates, 'client_certificates' => true])->name, [1, 2]);
$endpoint = start_discovery_endpoint(['tls' => $certificates]);
$endpoint->tell(12, $nodes);
$new = fn (array $tls): Pool => new Pool("discover://tls://$endpoint->address", connectTimeout: 5, timeout: 5, transport: Transport::Direct, tls: $tls);
try {
    (new Counter($new([]), 'counter'))->increment();
} catch (ServerException $error) {
    echo str_replace($endpoint->address, 'ENDPOINT', $error->getMessage()), "\n";
}
McPatterns\Clock::advance(2);
$pool = $new($certificates->client_options());
$cache = new Cache($pool);
$values = array_combine(array_map(fn (int $i): string => "key$i", range(1, 40)), range(1, 40));
var_dump(array_keys($pool->ping()) === $nodes, $cache->setMultiple($values), $cache->getMultiple(array_keys($values)) === $values);
$direct = new Cache(new Pool(array_map(fn (string $node): string => "tls://$node", $nodes), connectTimeout: 5, timeout: 5, transport: Transport::Direct, tls: $certificates->client_options()));
var_dump($direct->getMultiple(array_keys($values)) === $values);
?>
--EXPECT--
Cannot increment the counter "counter" on ENDPOINT: the server has a certificate that this host does not trust, or that has expired
bool(true)
bool(true)
bool(true)
bool(true)

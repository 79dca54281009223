--TEST--
Through TLS, too, a server that answers nonsense, another key, too much, or breaks off anywhere gives no value and no crash
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, Pool, ServerException, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';

$lies = [
    "", "\r\n", "\n", "END", "VALUE", "VALUE \r\n", "VALUE key\r\n", "VALUE key 0\r\n", "VALUE key 0 5\r\nvalue", "VALUE other 0 5 1\r\nvalue\r\nEND\r\n",
    "VALUE key 0 -1 1\r\n\r\nEND\r\n", "VALUE key 0 99999999999999999999 1\r\n", "VALUE key 0 4294967295 1\r\nx", "VALUE key 0 5 1\r\nvalueEND\r\n",
    "VALUE key 0 5 1\r\nvalue\r\nVALUE key 0 5 1\r\nother\r\nEND\r\n", "VALUE key 0 5 1\r\nvalue\r\nEND\r\nEND\r\n", "VALUE key 99999999999 5 1\r\nvalue\r\nEND\r\n",
    "VALUE " . str_repeat('k', 3000) . " 0 5 1\r\nvalue\r\nEND\r\n", str_repeat('x', 100000), str_repeat("STORED\r\n", 1000), "HTTP/1.1 400 Bad Request\r\n\r\n",
    "ERROR\r\n", "SERVER_ERROR out of memory\r\n", "CLIENT_ERROR bad\r\n", "STORED\r\nSTORED\r\n", "EXISTS\r\n", "OK\r\n", "HD\r\n", "MN\r\n", "VERSION \r\n",
    "STAT pid 1\r\n", "STAT \r\nEND\r\n", "18446744073709551616\r\n", "-1\r\n", "VA 5\r\nvalue\r\n", "\x00\x81\xff\r\n", "VALUE key 0 5 18446744073709551616\r\nvalue\r\nEND\r\n",
];
$certificates = new TestCertificates();
$address = 'tls://' . start_tls_peer($certificates, function ($connection, int $number) use ($lies) {
    $lie = $lies[$number % count($lies)];
    while (fgets($connection) !== false && ($lie === '' || @fwrite($connection, $lie))) {
        if ($lie === '' || $number >= 4 * count($lies)) {
            return; // breaks off
        }
    }
});
$pool = new Pool($address, connectTimeout: 5, timeout: 0.05, retryAfter: 0, transport: Transport::Direct, tls: $certificates->client_options());
$cache = new Cache($pool);
$believed = [];
for ($round = 0; $round < 2 * count($lies); $round++) {
    $pool->close();
    $cache->get('key') === null || $believed[] = 'get';
    $cache->getMultiple(['key', 'other']) === ['key' => null, 'other' => null] || $believed[] = 'getMultiple';
    $cache->delete('key');
    try {
        $number = (new Counter($pool, 'counter'))->increment();
        is_int($number) || $believed[] = 'increment';
    } catch (\McPatterns\Exception) {
    }
    $cache->setMultiple(['a' => str_repeat('a', 20000), 'b' => 'b']);
}
echo 'believed: ', implode(', ', $believed) ?: 'nothing', "\n";
?>
--EXPECT--
believed: nothing

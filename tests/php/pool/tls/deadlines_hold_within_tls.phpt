--TEST--
TLS handshakes end within connectTimeout, and replies within timeout
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
use McPatterns\{Cache, Compression, Pool, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/breaking_relay.inc';

$certificates = new TestCertificates();
$peers = [
    'frozen handshake' => start_tls_peer(null, fn ($connection) => sleep(60)),
    // The head of a record of 16 KB, and then its bytes.
    'dripping handshake' => start_tls_peer(null, fn ($connection) => drip($connection, "\x16\x03\x03\x40\x00" . str_repeat("\x02\x00", 8000))),
    'frozen answer' => start_tls_peer($certificates, fn ($connection) => sleep(60)),
    'dripping answer' => start_tls_peer($certificates, fn ($connection) => drip($connection, 'VALUE key 0 100000 1' . "\r\n" . str_repeat('x', 100000))),
];
foreach ($peers as $name => $address) {
    [$connect, $answer] = str_contains($name, 'handshake') ? [0.4, 20] : [20, 0.4];
    $pool = new Pool("tls://$address", connectTimeout: $connect, timeout: $answer,
        transport: Transport::Direct, tls: $certificates->client_options());
    $begin = hrtime(true);
    (new Cache($pool))->get('key');
    $took = (hrtime(true) - $begin) / 1e9;
    $is_in_time = $took >= 0.39 && $took < 10;
    echo "$name: ", $is_in_time ? 'in time' : $took, ', ', current($pool->lastErrors())['message'], "\n";
}

// One record of 16 KB, of which a part is there, and none of its bytes can be read.
$relay = start_breaking_relay(start_memcached(['tls' => $certificates])->port, $flag = tempnam(sys_get_temp_dir(), 'drip'));
$pool = new Pool($relay, connectTimeout: 20, timeout: 20, retryAfter: 0, compression: Compression::None, transport: Transport::Direct, tls: $certificates->client_options());
(new Cache($pool))->set('key', str_repeat('x', 100_000)) || die('not stored');
$hasty = new Pool($relay, connectTimeout: 20, timeout: 0.4, compression: Compression::None, transport: Transport::Direct, tls: $certificates->client_options());
$cache = new Cache($hasty);
$pool->close();
$hasty->ping();
file_put_contents($flag, 'drip');
$begin = hrtime(true);
$value = $cache->get('key');
$took = (hrtime(true) - $begin) / 1e9;
echo 'dripping record: ', $value === null && $took >= 0.39 && $took < 10 ? 'in time' : $took, ', ', current($hasty->lastErrors())['message'], "\n";
?>
--EXPECT--
frozen handshake: in time, the server could not be reached within 400 ms
dripping handshake: in time, the server could not be reached within 400 ms
frozen answer: in time, the server did not reply within 400 ms
dripping answer: in time, the server did not reply within 400 ms
dripping record: in time, the server did not reply within 400 ms

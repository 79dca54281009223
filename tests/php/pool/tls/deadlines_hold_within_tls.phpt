--TEST--
A handshake that is frozen, or drips, ends within connectTimeout, and an answer that does within timeout
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
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';

$certificates = new TestCertificates();
$drips = function ($connection, string $bytes) {
    foreach (str_split($bytes) as $byte) {
        if (@fwrite($connection, $byte) !== 1) {
            return;
        }
        usleep(20_000);
    }
};
$peers = [
    'frozen handshake' => start_tls_peer(null, fn ($connection) => sleep(60)),
    // The head of a record of 16 KB, and then its bytes.
    'dripping handshake' => start_tls_peer(null, fn ($connection) => $drips($connection, "\x16\x03\x03\x40\x00" . str_repeat("\x02\x00", 8000))),
    'frozen answer' => start_tls_peer($certificates, fn ($connection) => sleep(60)),
    'dripping answer' => start_tls_peer($certificates, fn ($connection) => $drips($connection, 'VALUE key 0 100000 1' . "\r\n" . str_repeat('x', 100000))),
];
foreach ($peers as $name => $address) {
    $pool = new Pool("tls://$address", connectTimeout: 0.4, timeout: str_contains($name, 'handshake') ? 20 : 0.4,
        transport: Transport::Direct, tls: $certificates->client_options());
    $begin = hrtime(true);
    (new Cache($pool))->get('key');
    $took = (hrtime(true) - $begin) / 1e9;
    $is_in_time = $took >= 0.39 && $took < 10;
    echo "$name: ", $is_in_time ? 'in time' : $took, ', ', current($pool->lastErrors())['message'], "\n";
}
?>
--EXPECT--
frozen handshake: in time, the server could not be reached within 400 ms
dripping handshake: in time, the server could not be reached within 400 ms
frozen answer: in time, the server did not answer within 400 ms
dripping answer: in time, the server did not answer within 400 ms

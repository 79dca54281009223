--TEST--
A server that sends invalid TLS fails with a reason within connectTimeout
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
use McPatterns\{Cache, Counter, Exception, Lock, Pool, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';

$record = fn (int $type, string $body, int $version = 0x0303): string => pack('Cnn', $type, $version, strlen($body)) . $body;
$handshake = fn (int $type, string $body): string => "\x16\x03\x03" . pack('n', strlen($body) + 4) . pack('C', $type) . substr(pack('N', strlen($body)), 1) . $body;
$server_hello = "\x03\x03" . str_repeat("\xab", 32) . "\x00\x13\x01\x00";
$lies = [
    'nothing' => '', 'a value' => "VALUE key 0 5\r\nvalue\r\nEND\r\n", 'an error' => "ERROR\r\n", 'a page' => "HTTP/1.1 400 Bad Request\r\n\r\n", 'a shell' => "SSH-2.0-OpenSSH_9.2p1\r\n",
    'zeros' => str_repeat("\0", 20000), 'ones' => str_repeat("\xff", 20000), 'SSL 2' => "\x80\x2e\x04\x00\x01\x00\x02", 'a type that is none' => $record(99, 'x'), 'type 0' => $record(0, 'x'),
    'an empty record' => $record(22, ''), 'empty ones' => str_repeat($record(22, ''), 500), 'the largest length' => "\x16\x03\x03\xff\xff" . str_repeat('x', 70000), 'data first' => $record(23, "VALUE key 0 5\r\nvalue\r\nEND\r\n"),
    'a heartbeat' => "\x18\x03\x03\x00\x03\x01\xff\xff", 'a change of ciphers' => $record(20, "\x01"), 'many of them' => str_repeat($record(20, "\x01"), 500), 'another version' => $record(22, 'x', 0x0909),
    'a half alert' => $record(21, "\x02"), 'an alert that is none' => $record(21, "\x09\xff"), 'an end' => $record(21, "\x01\x00"), 'warnings' => str_repeat($record(21, "\x01\x5a"), 500),
    'no shared cipher' => $record(21, "\x02\x28"), 'no shared version' => $record(21, "\x02\x46"), 'an unknown authority' => $record(21, "\x02\x30"), 'an internal error' => $record(21, "\x02\x50"),
    'a request for a hello' => $handshake(0, ''), 'many of them, too' => str_repeat($handshake(0, ''), 500), 'a client' => $handshake(1, $server_hello), 'the end of a handshake' => $handshake(20, str_repeat('x', 12)), 'certificates first' => $handshake(11, "\0\0\0"),
    'a message without an end' => $record(22, "\x02\xff\xff\xff" . str_repeat('x', 10000)), 'a hello' => $handshake(2, $server_hello), 'a hello with half its extensions' => $handshake(2, "$server_hello\xff\xff\x00"), 'no such cipher' => $handshake(2, substr($server_hello, 0, 35) . "\xfa\xfa\x00"),
    'the hello to try again, twice' => str_repeat($handshake(2, "\x03\x03" . hex2bin('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c') . "\x00\x13\x01\x00\x00\x0c\x00\x2b\x00\x02\x03\x04\x00\x33\x00\x02\x00\x17"), 2),
];
$told = tempnam(sys_get_temp_dir(), 'lie');
$address = 'tls://' . start_tls_peer(null, function ($connection, $_, $listener) use ($lies, $told) {
    [$number, $breaks_off] = explode(' ', file_get_contents($told));
    fread($connection, 4096); // the client's hello
    @fwrite($connection, array_values($lies)[$number]);
    [$read, $none] = [[$connection, $listener], null];
    while (!$breaks_off && stream_select($read, $none, $none, 60) && in_array($connection, $read, true) && !in_array(fread($connection, 65536), ['', false], true)) {
        $read = [$connection, $listener];
    }
});
$certificates = new TestCertificates();
$wrong = [];
$reasons = 0;
foreach (array_keys($lies) as $number => $name) {
    foreach ([0, 1] as $breaks_off) {
        file_put_contents("$told.new", "$number $breaks_off");
        rename("$told.new", $told);
        $pool = new Pool($address, connectTimeout: 0.1, timeout: 0.1, retryAfter: 0, transport: Transport::Direct, tls: $certificates->client_options());
        $value = (new Cache($pool))->get('key');
        $value === null || $wrong[] = "$name: believed";
        $reasons += current($pool->lastErrors())['message'] !== '';
        foreach ([fn () => (new Counter($pool, 'counter'))->increment(), fn () => (new Lock($pool, 'lock'))->acquire()] as $ask) {
            try {
                $ask();
                $wrong[] = "$name: an answer";
            } catch (Exception) {
            }
        }
        Pool::diagnose($pool);
    }
}
echo count($lies), ' lies, with a reason: ', $reasons === 2 * count($lies) ? 'all' : "$reasons of " . 2 * count($lies), "\n";
echo 'wrong: ', implode(', ', $wrong) ?: 'nothing', "\n";
unlink($told);
?>
--EXPECT--
36 lies, with a reason: all
wrong: nothing

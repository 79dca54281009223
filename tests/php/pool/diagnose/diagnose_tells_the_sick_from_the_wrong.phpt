--TEST--
Pool::diagnose() distinguishes slow, closing and overloaded servers, and proxies
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/told_server.inc';
require __DIR__ . '/../../../_support/doctor.inc';

function tell(string $what, string $address, float $timeout = 4): void
{
    $report = Pool::diagnose(new Pool($address, timeout: $timeout, connectTimeout: 4, transport: Transport::Direct));
    echo "$what:\n";
    tell_findings($report, ['restarted'], [$address => 'SERVER']);
    foreach ($report['findings'] as ['severity' => $severity, 'advice' => $advice]) {
        echo $severity === 'notice' ? '' : "    $advice\n";
    }
}

$full = start_memcached(['arguments' => ['-c', '30', '-o', 'maxconns_fast']]);
$connections = [];
do {
    $connections[] = $socket = stream_socket_client("unix://$full->host");
    @fwrite($socket, "version\r\n");
} while (str_starts_with((string) @fgets($socket), 'VERSION') && count($connections) < 100);

ob_start();
tell('slow', start_told_server(options: ['delay' => 1.1]), 2);
echo preg_replace('/take [\d.]+ seconds/', 'take N seconds', ob_get_clean());
tell('byte by byte', start_told_server(options: ['pause' => 0.02]), 0.3);
tell('ends what begins', start_told_server(options: ['answer' => '', 'closes' => true]));
tell('ends in the middle', start_told_server(options: ['answer' => "STAT pid 1\r\nSTAT ver", 'closes' => true]));
tell('says no and ends', start_told_server(options: ['answer' => "ERROR\r\n", 'closes' => true]));
tell('a proxy', start_told_server(options: ['answer' => "SERVER_ERROR Connection refused\r\n"]));
tell('connections', $full->address);
tell('another service', start_told_server(options: ['answer' => "SSH-2.0-OpenSSH_9.2p1\r\n"]));
?>
--EXPECT--
slow:
warning slow SERVER: replies take N seconds, the timeout is 2 seconds
    Check the network and the server's load, or raise mcpatterns.timeout.
byte by byte:
error timeout SERVER: the server did not reply within 300 ms
    Check the server and the network: it is stopped, swapped out or overloaded, or packets are lost.
ends what begins:
error connection_closed SERVER: the server closed the connection without a reply
    Check which program listens there. A memcached that was started with -Z closes connections without TLS: use 'tls://' with Transport::Direct.
ends in the middle:
error invalid_response SERVER: the server sent an unexpected reply
    Check which program listens there: it is not memcached, or it is broken.
says no and ends:
error invalid_response SERVER: the server replied "ERROR"
    Check which program listens there: it is not memcached, or it is broken.
a proxy:
error server_error SERVER: the server replied "SERVER_ERROR Connection refused"
    Read the reply. From a proxy: a server behind it is down. From memcached: it has no memory or no connection left.
connections:
error server_error SERVER: the server replied "ERROR Too many open connections"
    Read the reply. From a proxy: a server behind it is down. From memcached: it has no memory or no connection left.
another service:
error invalid_response SERVER: the server replied "SSH-2.0-OpenSSH_9.2p1", which is not the memcached protocol
    Check which program listens there: it is not memcached, or it is broken.

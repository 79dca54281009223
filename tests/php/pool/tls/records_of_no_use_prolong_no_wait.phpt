--TEST--
A server that sends session tickets without end is read no longer than the timeout
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (!in_array('tls', stream_get_transports())) {
    die('skip needs the openssl extension');
}
if (trim((string) shell_exec('openssl version 2>/dev/null')) === '') {
    die('skip needs the openssl command');
}
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/tls_peer.inc';
require __DIR__ . '/../../../_support/memcached.inc';

const TICKETS = 24_000;
const HANDSHAKE = 20_000; // more bytes than it has, and far fewer than all tickets

/**
 * Hands on what both say, but keeps the tickets until all of them, or most, have come; fills the connection with them, tells so, and answers what part of
 * the others the client has taken.
 */
function relay_tickets($client, $server, $told): float
{
    array_map(fn ($socket) => stream_set_blocking($socket, false), [$client, $server]);
    [$kept, $passed] = ['', 0];
    do {
        $read = [$client, $server];
        $write = $except = null;
        $is_ready = stream_select($read, $write, $except, 2);
        fwrite($server, in_array($client, $read, true) ? fread($client, 65536) : '');
        $kept .= in_array($server, $read, true) ? fread($server, 65536) : '';
        if ($passed < HANDSHAKE) {
            $passed += fwrite($client, $kept);
            $kept = '';
            $passed < HANDSHAKE || fwrite($told, 'tickets');
        }
    } while ($passed < HANDSHAKE || ($is_ready > 0 && strlen($kept) < TICKETS * 240));
    for ($full = 0; ($taken = @fwrite($client, substr($kept, $full, 65536))) > 0; $full += $taken);
    fwrite($told, 'all');
    stream_set_blocking($client, true);
    stream_set_timeout($client, 60);
    for ($at = $full; ($taken = @fwrite($client, substr($kept, $at, 65536))) > 0; $at += $taken);
    return ($at - $full) / (strlen($kept) - $full);
}

$certificates = new TestCertificates();
$port = find_free_port();
$folder = make_temporary_folder('tickets');
$server = start_process(['openssl', 's_server', '-accept', "127.0.0.1:$port", '-cert', $certificates->server, '-key', $certificates->server_key,
    '-num_tickets', (string) TICKETS, '-quiet'], "$folder/log");
while (!($upstream = @stream_socket_client("tcp://127.0.0.1:$port"))) {
    usleep(10_000);
}
$listener = stream_socket_server('tcp://127.0.0.1:0');
[$told, $teller] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$name = stream_socket_get_name($listener, false);
$client = pcntl_fork();
if ($client === 0) {
    $pool = new Pool("tls://$name", connectTimeout: 60, timeout: 0.05, transport: Transport::Direct, tls: $certificates->client_options());
    $value = (new Cache($pool))->get('key');
    file_put_contents("$folder/said", json_encode($value) . ', ' . current($pool->lastErrors())['message']);
    send_signal(getmypid(), SIGNAL_KILL);
}
$relay = pcntl_fork();
if ($relay === 0) {
    file_put_contents("$folder/taken", relay_tickets(stream_socket_accept($listener), $upstream, $teller));
    send_signal(getmypid(), SIGNAL_KILL);
}
// The client sleeps while the tickets come: when it wakes up its time is over, and all of them are there.
fread($told, 7);
send_signal($client, SIGNAL_STOP);
fread($told, 3);
send_signal($client, SIGNAL_CONTINUE);
pcntl_waitpid($client, $status);
pcntl_waitpid($relay, $status);
$taken = (float) file_get_contents("$folder/taken");
echo file_get_contents("$folder/said"), "\n", $taken < 0.5 ? 'most were not read' : "$taken of them were read", "\n";
end_process($server);
remove_folder($folder);
?>
--EXPECT--
null, the server did not answer within 50 ms
most were not read

--TEST--
Invalid certificates of either side fail with a clear reason
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
use McPatterns\{Cache, Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/tls_peer.inc';

$certificates = new TestCertificates();
$others = new TestCertificates();
$server = start_memcached(['tls' => $certificates, 'client_certificates' => true]);
$plain = start_memcached(['tcp' => true]);
$elsewhere = clone_with($certificates, 'other');
set_error_handler(function (int $type, string $message) {
    echo "HANDLER: $message\n";
    return true;
});

/** What it answers with a certificate for another name. */
function clone_with(TestCertificates $certificates, string $name): string
{
    [$certificate, $key] = $certificates->issue($name, $name);
    $listener = stream_socket_server('tcp://127.0.0.1:0', $code, $message, context: stream_context_create(['ssl' => ['local_cert' => $certificate, 'local_pk' => $key]]));
    if (($child = pcntl_fork()) === 0) {
        pcntl_alarm(60);
        while ($connection = @stream_socket_accept($listener, 60)) {
            @stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER) && fgets($connection);
            fclose($connection);
        }
        send_signal(getmypid(), SIGNAL_KILL);
    }
    register_shutdown_function(fn () => send_signal($child, SIGNAL_KILL));
    return 'tls://' . stream_socket_get_name($listener, false);
}

error_clear_last();

function tell(string $what, string $address, array $tls): void
{
    $pool = new Pool($address, connectTimeout: 5, timeout: 5, transport: Transport::Direct, tls: $tls);
    $is_stored = (new Cache($pool))->set('key', 'value');
    echo "$what: ", $is_stored ? 'stored' : current($pool->lastErrors())['message'], "\n";
}

$options = $certificates->client_options();
tell('right', $server->address, $options);
tell('localhost', str_replace('127.0.0.1', 'localhost', $server->address), $options);
tell('unknown authority', $server->address, []);
tell('another authority', $server->address, ['cafile' => $others->authority] + $options);
tell('not verified', $server->address, ['verify_peer' => false, 'verify_peer_name' => false, 'cafile' => $others->authority] + $options);
tell('another name', $elsewhere, $options);
tell('its own name', $server->address, ['peer_name' => 'elsewhere.test'] + $options);
tell('fingerprint', $server->address, ['peer_fingerprint' => str_repeat('0', 40)] + $options);
tell('no certificate', $server->address, ['cafile' => $certificates->authority]);
tell("another's certificate", $server->address, ['local_cert' => $others->client, 'local_pk' => $others->client_key] + $options);
tell('no such file', $server->address, ['local_cert' => '/nowhere.pem'] + $options);
tell('no such authority', $server->address, ['cafile' => '/nowhere.pem'] + $options);
tell('no TLS', "tls://$plain->address", $options);
tell('no such ciphers', $server->address, ['ciphers' => 'NONSENSE'] + $options);
[$locked, $locked_key] = $certificates->issue('locked', 'local', 30, 'open sesame');
tell('passphrase', $server->address, ['local_cert' => $locked, 'local_pk' => $locked_key, 'passphrase' => 'open sesame'] + $options);
tell('wrong passphrase', $server->address, ['local_cert' => $locked, 'local_pk' => $locked_key, 'passphrase' => 'open'] + $options);
try {
    (new Counter(new Pool($server->address, connectTimeout: 5, timeout: 5, transport: Transport::Direct), 'visits'))->increment();
} catch (ServerException $exception) {
    // The same Pool has failed above; whether that is long enough ago to ask again depends on the machine.
    $message = str_replace('circuit breaker is open: ', '', $exception->getMessage());
    echo preg_replace('/127.0.0.1:\d+/', 'SERVER', $message), "\n";
}
var_dump(error_get_last());
?>
--EXPECT--
right: stored
localhost: stored
unknown authority: the server has a certificate that this host does not trust, or that has expired
another authority: the server has a certificate that this host does not trust, or that has expired
not verified: stored
another name: the server has a certificate for a different name
its own name: the server has a certificate for a different name
fingerprint: the server has a certificate with a different fingerprint
no certificate: the server requires a client certificate, and none was sent
another's certificate: the server rejected this client's certificate
no such file: the server received no TLS request: this client's own certificate (local_cert) cannot be used
no such authority: the server received no TLS request: the certificates of cafile or capath cannot be read
no TLS: the server does not use TLS on this port
no such ciphers: the server received no TLS request: OpenSSL rejected the options
passphrase: stored
wrong passphrase: the server received no TLS request: this client's own key (local_pk, passphrase) cannot be used
Cannot increment the counter "visits" on SERVER: the server has a certificate that this host does not trust, or that has expired
NULL

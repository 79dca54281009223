--TEST--
Pool::diagnose() reports errors of certificates, TLS, passwords and readable keys
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
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/told_server.inc';
require __DIR__ . '/../../../_support/doctor.inc';

$certificates = new TestCertificates();
$others = new TestCertificates();
$server = start_memcached(['memory' => 128, 'tls' => $certificates, 'client_certificates' => true]);
$plain = start_memcached(['memory' => 128, 'tcp' => true]);
$locked = start_memcached(['memory' => 128, 'password' => 'alice:s3cret']);
chmod($certificates->client_key, 0600);

function tell(string $what, string $address, mixed ...$options): void
{
    $pool = new Pool(...[$address, 'connectTimeout' => 4, 'timeout' => 4, 'transport' => Transport::Direct, ...$options]);
    echo "$what:\n";
    tell_findings(Pool::diagnose($pool), [], array_fill_keys(array_column($pool->servers(), 'host'), 'HOST'));
}

ob_start();
$tls = $certificates->client_options();
tell('right', $server->address, tls: $tls);
tell('another authority', $server->address, tls: ['cafile' => $others->authority] + $tls);
tell('no certificate', $server->address, tls: ['cafile' => $certificates->authority]);
tell('no such file', $server->address, tls: ['cafile' => '/nowhere/ca.pem'] + $tls);
tell('no TLS there', "tls://$plain->address");
tell('asked without TLS', $server->name);
tell('not verified', $server->address, tls: ['verify_peer' => false] + $tls);
tell('any name', $server->address, tls: ['verify_peer_name' => false] + $tls);
chmod($certificates->client_key, 0644);
tell('readable', $server->address, tls: $tls);
tell('right password', $locked->address, user: 'alice', password: 's3cret');
tell('wrong password', $locked->address, user: 'alice', password: 'wrong-one');
tell('no password', $locked->address);
$far = start_told_server(options: ['tcp' => true]);
tell('in clear', $far, user: 'alice', password: 's3cret');
echo preg_replace('/HOST:\d+/', 'HOST', str_replace($locked->name, 'HOST', ob_get_clean()));
?>
--EXPECTF--
right:
another authority:
error certificate HOST: the server has a certificate that this host does not trust, or that has expired
no certificate:
error certificate HOST: the server requires a client certificate, and none was sent
no such file:
error certificate HOST: the server received no TLS request: the certificates of cafile or capath cannot be read
no TLS there:
error tls HOST: the server does not use TLS on this port
asked without TLS:
error connection_closed HOST: the server %s
not verified:
warning tls_unverified HOST: certificate is not verified (verify_peer)
any name:
warning tls_unverified HOST: certificate name is not verified (verify_peer_name)
readable:
warning key_readable mcpatterns.tls_local_pk: private key is readable by all users of this host: file mode is 0644
right password:
wrong password:
error password HOST: the server rejected the user or the password
no password:
error password HOST: the server replied "CLIENT_ERROR unauthenticated"
in clear:
error password HOST: the server sent an invalid reply to the password
warning password_in_clear HOST: password is sent without TLS

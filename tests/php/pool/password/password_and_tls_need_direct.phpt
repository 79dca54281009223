--TEST--
Passwords and TLS options without Transport::Direct throw a ValueError
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
use McPatterns\{Pool, Transport};

$by = ['transport' => Transport::Direct];
foreach ([
    ['tls://a', 'transport' => Transport::Libmemcached],
    ['unix://u:p@/a', 'transport' => Transport::Libmemcached],
    ['a', 'tls' => ['verify_peer' => true], 'transport' => Transport::Libmemcached],
    ['a', 'user' => 'u', 'password' => 'p', 'transport' => Transport::Libmemcached],
    ['a', 'user' => 'u'] + $by,
    ['a', 'password' => 'p'] + $by,
    ['a', 'user' => 'u:v', 'password' => 'p'] + $by,
    ['a', 'user' => 'u', 'password' => "p\r\n"] + $by,
    ['a', 'user' => '', 'password' => 'p'] + $by,
    ['a', 'user' => str_repeat('u', 200), 'password' => str_repeat('p', 54)] + $by,
    ['unix://u@/a'] + $by,
    ['tls://:p@a'] + $by,
    ['u:p@a'] + $by,
    ['TLS://a'] + $by,
    ['tls://tls://a'] + $by,
    [['tls://a', 'a']] + $by,
    ['tls://a', 'tls' => ['CAfile' => '/x']] + $by,
    ['tls://a', 'tls' => ['/x']] + $by,
    ['tls://a', 'tls' => ['cafile' => '']] + $by,
    ['tls://a', 'tls' => ['verify_peer' => 1]] + $by,
    ['tls://a', 'tls' => ['crypto_method' => STREAM_CRYPTO_METHOD_TLSv1_0_CLIENT]] + $by,
    ['tls://a', 'tls' => ['peer_name' => null, 'crypto_method' => STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT]] + $by,
    ['tls://a:1:2', 'user' => str_repeat('u', 200), 'password' => str_repeat('p', 53)] + $by,
    ['tls://[::1]:1'] + $by,
    ['unix:///a@b'] + $by,
] as $arguments) {
    try {
        echo json_encode((new Pool(...$arguments))->servers()), "\n";
    } catch (ValueError $error) {
        echo substr($error->getMessage(), strlen('McPatterns\Pool::__construct(): Argument ')), "\n";
    }
}
ini_set('mcpatterns.transport', 'direct');
foreach (['tls_crypto_method' => 'SSLv3', 'user' => 'u', 'password' => ' '] as $setting => $value) {
    ini_set("mcpatterns.$setting", $value);
    try {
        Pool::default();
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
    ini_restore('mcpatterns.tls_crypto_method');
}
ini_set('mcpatterns.password', 'p');
foreach ([null, 'memory://given'] as $servers) {
    try {
        echo json_encode((new Pool($servers, transport: Transport::Libmemcached))->servers()), "\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
ini_restore('mcpatterns.user');
ini_restore('mcpatterns.password');
ini_set('mcpatterns.tls_cafile', '/x');
try {
    new Pool(transport: Transport::Libmemcached);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
#1 ($servers) must not have "tls://" without Transport::Direct: libmemcached does not support TLS
#1 ($servers) must not have a password without Transport::Direct: libmemcached does not support passwords
#15 ($tls) must not be given without Transport::Direct: libmemcached does not support TLS
#17 ($password) must not be given without Transport::Direct: libmemcached does not support passwords
#17 ($password) must be given with a user
#16 ($user) must be given with a password
#17 ($password) must have a user that is not empty and has no spaces, control characters or colons
#17 ($password) must have a password that is not empty and has no spaces or control characters
#17 ($password) must have a user that is not empty and has no spaces, control characters or colons
#17 ($password) must have a user and a password of at most 253 bytes together
#1 ($servers) must have a user and a password before a server's "@" as "user:password@"
#1 ($servers) must have a user that is not empty and has no spaces, control characters or colons
#1 ($servers) must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a" given
#1 ($servers) must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "TLS://a" given
#1 ($servers) must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "tls://a" given
#1 ($servers) must not name a server twice, "a" given
#15 ($tls) must have no "CAfile": the options are cafile, capath, peer_name, verify_peer, verify_peer_name, allow_self_signed, peer_fingerprint, local_cert, local_pk, passphrase, ciphers and crypto_method
#15 ($tls) must be an array of options by name
#15 ($tls) must have a non-empty string without null bytes for "cafile"
#15 ($tls) must have a bool for "verify_peer", int given
#15 ($tls) must have STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT, STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT or both for "crypto_method"
[{"host":"a","port":11211,"weight":1}]
[{"host":"a","port":1,"weight":2}]
[{"host":"::1","port":1,"weight":1}]
[{"host":"unix:\/\/\/a@b","port":0,"weight":1}]
The INI setting mcpatterns.tls_crypto_method must be "TLSv1.2", "TLSv1.3" or "TLSv1.2,TLSv1.3"
The INI setting mcpatterns.password must be given with a user
The INI setting mcpatterns.password must have a password that is not empty and has no spaces or control characters
The INI setting mcpatterns.password must not be given without Transport::Direct: libmemcached does not support passwords
[{"host":"memory:\/\/given","port":0,"weight":1}]
The INI setting mcpatterns.tls_* must not be given without Transport::Direct: libmemcached does not support TLS

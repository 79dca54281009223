--TEST--
new Pool() throws a ValueError that names the invalid setting
--EXTENSIONS--
mcpatterns
--INI--
mcpatterns.servers=memory://ini
mcpatterns.transport=direct
--FILE--
<?php
use McPatterns\{Compression, Distribution, Pool, Serializer, Transport};

function attempt(mixed ...$arguments): string
{
    try {
        return 'a pool of ' . (new Pool(...$arguments))->servers()[0]['host'];
    } catch (ValueError $error) {
        return $error->getMessage();
    }
}

foreach ([
    ['servers', 'memory://', ['servers' => 'memory://given']], ['prefix', 'set:', ['prefix' => '']],
    ['distribution', 'round-robin', ['distribution' => Distribution::Ketama]], ['connect_timeout', '0', ['connectTimeout' => 1]],
    ['timeout', '500', ['timeout' => 1]], ['retry_after', '-1', ['retryAfter' => 1]], ['transport', 'Direkt', ['transport' => Transport::Direct]],
    ['serializer', 'msgpak', ['serializer' => Serializer::Php]], ['compression', 'gzip', ['compression' => Compression::None]],
    ['user', 'ada', ['password' => 'secret']], ['user', 'ada', ['servers' => 'memory://given']],
    ['tls_crypto_method', 'SSLv3', ['tls' => []]], ['tls_crypto_method', 'SSLv3', ['servers' => 'memory://given']],
] as [$setting, $value, $arguments]) {
    ini_set("mcpatterns.$setting", $value);
    $wrong = attempt();
    echo $wrong, "\n", $wrong === (fn () => attempt(failover: true))() ? '' : "otherwise with another argument\n", '  ', attempt(...$arguments), "\n";
    ini_restore("mcpatterns.$setting");
}
echo attempt(password: 'secret'), "\n", attempt(tls: ['ca' => '/x']), "\n";
?>
--EXPECT--
The INI setting mcpatterns.servers must have memory servers as "memory://name" with letters, digits, ".", "-" and "_", "memory://" given
  a pool of memory://given
The INI setting mcpatterns.prefix must not begin with "set:", which keys of a class begin with
  a pool of memory://ini
The INI setting mcpatterns.distribution must be "ketama", "modulo" or "one_at_a_time", "round-robin" given
  a pool of memory://ini
The INI setting mcpatterns.connect_timeout must be between 0.001 and 60 seconds, 0 given
  a pool of memory://ini
The INI setting mcpatterns.timeout must be between 0.001 and 60 seconds, not milliseconds, 500 given
  a pool of memory://ini
The INI setting mcpatterns.retry_after must be between 0 and 3600 seconds, -1 given
  a pool of memory://ini
The INI setting mcpatterns.transport must be "libmemcached" or "direct", "Direkt" given
  a pool of memory://ini
The INI setting mcpatterns.serializer must be "php", "igbinary", "json" or "msgpack", "msgpak" given
  a pool of memory://ini
The INI setting mcpatterns.compression must be "none", "zlib" or "zstd", "gzip" given
  a pool of memory://ini
The INI setting mcpatterns.password must be given with a user
  a pool of memory://ini
The INI setting mcpatterns.password must be given with a user
  a pool of memory://given
The INI setting mcpatterns.tls_crypto_method must be "TLSv1.2", "TLSv1.3" or "TLSv1.2,TLSv1.3"
  a pool of memory://ini
The INI setting mcpatterns.tls_crypto_method must be "TLSv1.2", "TLSv1.3" or "TLSv1.2,TLSv1.3"
  a pool of memory://given
McPatterns\Pool::__construct(): Argument #16 ($user) must be given with a password
McPatterns\Pool::__construct(): Argument #15 ($tls) must have no "ca": the options are cafile, capath, peer_name, verify_peer, verify_peer_name, allow_self_signed, peer_fingerprint, local_cert, local_pk, passphrase, ciphers and crypto_method

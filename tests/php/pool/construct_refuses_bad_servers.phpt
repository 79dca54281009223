--TEST--
Pool::__construct() rejects invalid $servers and quotes the invalid part
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

$mistakes = [
    '', [], [''], 'host:', 'host:0', 'host:65536', 'host:port', 'host:+1', 'host:11211:0', 'host:11211:x',
    'host:11211:1:1', ':11211', 'ho st:11211', "host\n:11211", 'host/path', '::1', '[::1', '[]:11211', '[::1]x',
    'unix:/path', 'unix://relative', 'unix:///', 'unix:///path:0', "unix:///a\0b", 'unix:///' . str_repeat('x', 107),
    'memory://', 'memory://a/b', 'memory://a:0', 'a:1,,b:1', 'a:1,b:x', ['a:1', 'b:y'],
    'a,a:11211', ['a:1', 'a:1:5'], ['memory://m', 'memory://m'], str_repeat('x', 300),
    'tcp://', 'tcp://a:x', 'tcp://a:1:0', 'tcp://::1:11211', 'tcp://[::1', 'memcached://:1', 'memcached:///tmp/socket',
    'tcp://user:secret@a:1', 'user:secret@a:1', 'memcached://user:secr@t@a:1', 'redis://user:secret@a', 'TCP://a:1',
    '[hello]:11211', '[127.0.0.1]', '[::1%]', '[1::2::3]:1', '2001:db8:1:2:3:4:5:6', 'fe80:0:0:0:0:0:0:1:11211', ['[::1]:1', '[0:0::1]:1'], ['[fe80::A%eth0]', '[fe80:0::a%eth0]:11211:2'],
    '256.0.0.1', '10.0.0', '10.0.0.1.2:11211', '11211', 'a:1:-1', 'a:1:1.5', 'a:-1', 'a:1:65536',
    'tcp://a:1/', 'tcp://a:1?weight=2', 'tcp://a:1#x', 'tcp://tcp://a', ['a:1', 'tcp://a:1'], ['tcp://A:1', 'memcached://a:1'],
];
foreach ($mistakes as $servers) {
    try {
        new Pool($servers);
        echo 'accepted: ', json_encode($servers), "\n";
    } catch (ValueError $error) {
        echo substr($error->getMessage(), strlen('McPatterns\Pool::__construct(): Argument #1 ')), "\n";
    }
}
try {
    new Pool(array_map(fn ($i) => "host$i", range(1, 1001)));
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
try {
    new Pool(['a', 11211]);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
foreach (['mcpatterns.servers' => 'a:1,b:0', 'mcpatterns.distribution' => 'ring'] as $setting => $value) {
    $before = ini_set($setting, $value);
    try {
        Pool::default();
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
    ini_set($setting, $before);
}
echo count((new Pool(array_map(fn ($i) => "host$i", range(1, 1000))))->servers()), "\n";
?>
--EXPECT--
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "" given
($servers) must name at least one server
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "" given
($servers) must have ports between 1 and 65535, "host:" given
($servers) must have ports between 1 and 65535, "host:0" given
($servers) must have ports between 1 and 65535, "host:65536" given
($servers) must have ports between 1 and 65535, "host:port" given
($servers) must have ports between 1 and 65535, "host:+1" given
($servers) must have weights between 1 and 65535, "host:11211:0" given
($servers) must have weights between 1 and 65535, "host:11211:x" given
($servers) must have weights between 1 and 65535, "host:11211:1:1" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", ":11211" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "ho st:11211" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "host?:11211" given
($servers) must not have a path, query or fragment after a server's port, "host/path" given
($servers) must have IPv6 addresses as "[address]:port", "::1" given
($servers) must have IPv6 addresses as "[address]:port", "[::1" given
($servers) must have IPv6 addresses as "[address]:port", "[]:11211" given
($servers) must have IPv6 addresses as "[address]:port", "[::1]x" given
($servers) must have unix sockets as "unix:///path", "unix:/path" given
($servers) must have unix sockets as "unix:///path", "unix://relative" given
($servers) must have unix sockets as "unix:///path", "unix:///" given
($servers) must have weights between 1 and 65535, "unix:///path:0" given
($servers) must have unix sockets as "unix:///path", "unix:///a?b" given
($servers) must have unix sockets with paths of at most 107 bytes, "unix:///xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." given
($servers) must have memory servers as "memory://name" with letters, digits, ".", "-" and "_", "memory://" given
($servers) must have memory servers as "memory://name" with letters, digits, ".", "-" and "_", "memory://a/b" given
($servers) must have weights between 1 and 65535, "memory://a:0" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "" given
($servers) must have ports between 1 and 65535, "b:x" given
($servers) must have ports between 1 and 65535, "b:y" given
($servers) must not name a server twice, "a:11211" given
($servers) must not name a server twice, "a:1:5" given
($servers) must not name a server twice, "memory://m" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "tcp://" given
($servers) must have ports between 1 and 65535, "a:x" given
($servers) must have weights between 1 and 65535, "a:1:0" given
($servers) must have IPv6 addresses as "[address]:port", "::1:11211" given
($servers) must have IPv6 addresses as "[address]:port", "[::1" given
($servers) must name servers as "host:port", "unix:///path" or "memory://name", "memcached://:1" given
($servers) must have unix sockets as "unix:///path", "/tmp/socket" given
($servers) must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a:1" given
($servers) must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a:1" given
($servers) must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a:1" given
($servers) must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a" given
($servers) must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "TCP://a:1" given
($servers) must have IPv6 addresses as "[address]:port", "[hello]:11211" given
($servers) must have IPv6 addresses as "[address]:port", "[127.0.0.1]" given
($servers) must have IPv6 addresses as "[address]:port", "[::1%]" given
($servers) must have IPv6 addresses as "[address]:port", "[1::2::3]:1" given
($servers) must have IPv6 addresses as "[address]:port", "2001:db8:1:2:3:4:5:6" given
($servers) must have IPv6 addresses as "[address]:port", "fe80:0:0:0:0:0:0:1:11211" given
($servers) must not name a server twice, "[0:0::1]:1" given
($servers) must not name a server twice, "[fe80:0::a%eth0]:11211:2" given
($servers) must have IPv4 addresses of 4 numbers between 0 and 255, "256.0.0.1" given
($servers) must have IPv4 addresses of 4 numbers between 0 and 255, "10.0.0" given
($servers) must have IPv4 addresses of 4 numbers between 0 and 255, "10.0.0.1.2:11211" given
($servers) must have IPv4 addresses of 4 numbers between 0 and 255, "11211" given
($servers) must have weights between 1 and 65535, "a:1:-1" given
($servers) must have weights between 1 and 65535, "a:1:1.5" given
($servers) must have ports between 1 and 65535, "a:-1" given
($servers) must have weights between 1 and 65535, "a:1:65536" given
($servers) must not have a path, query or fragment after a server's port, "a:1/" given
($servers) must not have a path, query or fragment after a server's port, "a:1?weight=2" given
($servers) must not have a path, query or fragment after a server's port, "a:1#x" given
($servers) must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "tcp://a" given
($servers) must not name a server twice, "tcp://a:1" given
($servers) must not name a server twice, "memcached://a:1" given
McPatterns\Pool::__construct(): Argument #1 ($servers) must have at most 1000 servers, "host1001" is one too many
McPatterns\Pool::__construct(): Argument #1 ($servers) must be a list of strings, int found
The INI setting mcpatterns.servers must have ports between 1 and 65535, "b:0" given
The INI setting mcpatterns.distribution must be "ketama", "modulo" or "one_at_a_time", "ring" given
1000

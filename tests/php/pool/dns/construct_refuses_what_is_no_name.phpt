--TEST--
dns:// and dns+srv:// reject addresses, weights, passwords, further servers and a port of SRV
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Transport};

$mistakes = [
    'dns://', 'dns+srv://', 'dns://a:0', 'dns://a:1:2', 'dns+srv://a:11211', 'dns://10.0.0.1', 'dns://[::1]:1', 'dns+srv://10.0.0.1', 'dns://a..b', 'dns://.', 'dns://.a', 'dns://' . str_repeat('a', 64), 'dns://a/b',
    'dns://a,b:1', ['b:1', 'dns://a'], 'dns+srv://a,dns+srv://b', 'discover://a:1,dns://b', 'dns://user:secret@a', 'dns://tls://a', 'tls://dns://a', 'discover://dns://a', 'dns+tcp://a', 'DNS://a', 'dns:a',
];
foreach ($mistakes as $servers) {
    try {
        new Pool($servers, transport: Transport::Direct);
        echo 'accepted: ', json_encode($servers), "\n";
    } catch (ValueError $error) {
        echo substr($error->getMessage(), strlen('McPatterns\Pool::__construct(): Argument #1 ($servers) ')), "\n";
    }
}
try {
    new Pool('a:1', 'dns+srv://b');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns+srv://" given
must have ports between 1 and 65535, "a:0" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://a:1:2" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns+srv://a:11211" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://10.0.0.1" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://[::1]:1" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns+srv://10.0.0.1" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://a..b" given
must have IPv4 addresses of 4 numbers between 0 and 255, "." given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://.a" given
must name a list in DNS as "dns://name:port" or "dns+srv://name", "dns://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" given
must not have a path, query or fragment after a server's port, "a/b" given
must name no other server with "dns://a:11211", which reports all servers
must name no other server with "dns://a:11211", which reports all servers
must name no other server with "dns+srv://a", which reports all servers
must name no other server with "discover://a:1", which reports all servers
must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a" given
must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "tls://a" given
must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "dns://a" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "dns://a" given
must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "dns+tcp://a" given
must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "DNS://a" given
must have ports between 1 and 65535, "dns:a" given
McPatterns\Pool::__construct(): Argument #2 ($prefix) must not look like a server (pass several servers as an array), "dns+srv://b" given

--TEST--
discover:// rejects further servers, weights, passwords and invalid addresses
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded('pcntl')) {
    die('skip needs pcntl');
}
?>
--FILE--
<?php
use McPatterns\{Pool, Transport};

$mistakes = [
    'discover://', 'discover://a:0', 'discover://a:1:2', 'discover://a:1,b:1', 'b:1,discover://a:1', ['discover://a:1', 'discover://b:1'],
    'discover://unix:///socket', 'discover://memory://m', 'discover://discover://a', 'discover://tcp://a:1', 'discover://user:secret@a:1', 'discover://tls://user:secret@a:1', 'discover://tls://a:1:7',
    'discover://x://user:secret@a:1', 'tls://discover://a:1', 'discover:a:1',
    'discover://tls://', 'discover+tls://a:1', 'Discover://a:1',
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
    new Pool('a:1', 'discover://b:1');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "discover://" given
must have ports between 1 and 65535, "a:0" given
must not have a weight after "discover://", "a:1:2" given
must name no other server with "discover://a:1", which reports all servers
must name no other server with "discover://a:1", which reports all servers
must name no other server with "discover://a:1", which reports all servers
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "unix:///socket" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "memory://m" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "discover://a" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "tcp://a:1" given
must not have a user or password before a host that is not "tls://": they would be sent unencrypted, "...@a:1" given
must not have a password after "discover://": pass it as user and password, for the endpoint and its servers, "...@a:1" given
must not have a weight after "discover://", "tls://a:1:7" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "a:1" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "discover://a:1" given
must have ports between 1 and 65535, "discover:a:1" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "discover://tls://" given
must name an endpoint as "discover://host:port" or "discover://tls://host:port", "discover+tls://a:1" given
must have "tcp", "memcached", "tls", "unix" or "memory" as the scheme of a server, or "discover", "dns" or "dns+srv" for a list, "Discover://a:1" given
McPatterns\Pool::__construct(): Argument #2 ($prefix) must not look like a server (pass several servers as an array), "discover://b:1" given

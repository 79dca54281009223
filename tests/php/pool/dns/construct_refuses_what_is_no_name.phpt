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

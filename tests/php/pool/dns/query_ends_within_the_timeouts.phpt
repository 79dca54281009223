--TEST--
A query of DNS ends within connectTimeout plus timeout, whatever a nameserver does (G7.2)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!extension_loaded("pcntl") || !is_readable("/proc/self/cmdline")) {
    die("skip needs pcntl and /proc");
}
?>
--FILE--
<?php
use McPatterns\{Clock, Pool};

require __DIR__ . '/../../../_support/dns_server.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$dns = start_dns_server();
$silent = stream_socket_server('udp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND);
$dead = preg_replace('/^(.*):/', '[$1]:', stream_socket_get_name($silent, false));
$resolve = function (string $what, string $name = 'dns://cache.test.') {
    Clock::advance(61);
    $start = microtime(true);
    $pool = new Pool($name, connectTimeout: 0.2, timeout: 0.4);
    $taken = microtime(true) - $start;
    echo $what, ': ', implode(' ', array_column($pool->servers(), 'host')), $taken < 1.5 ? '' : " after $taken s", "\n";
};
$dns->tell(['cache.test' => ['silent' => true]]);
$resolve('silent');
$dns->tell(['cache.test' => ['lies' => array_fill(0, 300, 'id'), 'silent' => false, 'A' => ['10.0.0.1'], 'wrong' => 'id']]);
$resolve('only lies');
$dns->tell(['cache.test' => ['only tcp' => true, 'stalls' => true, 'A' => ['10.0.0.1']]]);
$resolve('half by TCP');
sleep(3);
$dns->configure("nameserver $dead\nsearch b.test c.test d.test\noptions ndots:5\n");
$resolve('silent, and domains to search', 'dns://cache.test');
$port = find_free_port();
$dns->configure("nameserver [127.0.0.1]:$port\n");
$resolve('none there');
$dns->tell(['cache.test' => ['A' => ['10.0.0.1']]]);
$dns->configure("nameserver $dead\nnameserver [127.0.0.1]:$port\nnameserver [IP]:PORT\n");
$resolve('the third nameserver is there');
$dns->tell(['cache.test' => ['code' => 2]]);
$dns->configure("nameserver [IP]:PORT\n");
$dns->forget();
$resolve('an error: the list stays');
var_dump(count($dns->questions()));
?>
--EXPECT--
silent: cache.test.
only lies: cache.test.
half by TCP: cache.test.
silent, and domains to search: cache.test
none there: cache.test.
the third nameserver is there: 10.0.0.1
an error: the list stays: 10.0.0.1
int(3)

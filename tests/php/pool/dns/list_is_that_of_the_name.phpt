--TEST--
A Pool uses the servers that DNS lists, sorted, by every kind of record (G7.1, G7.5)
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
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/dns_server.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$dns = start_dns_server();
$dns->tell([
    'four.test' => ['A' => ['10.0.0.9', '10.0.0.10', '9.0.0.1', '10.0.0.9'], 'AAAA' => ['fd00::1']],
    'six.test' => ['AAAA' => ['fd00::2', 'fd00::1', '2001:db8::a:0:0:1']],
    'alias.test' => ['CNAME' => 'other.test', 'A' => ['10.0.0.1']],
    '_memcached._tcp.srv.test' => ['SRV' => [[0, 33, 11212, 'Pod-1.srv.test'], [0, 50, 11211, 'pod-1.srv.test'], [0, 0, 11211, 'pod-0.srv.test.']]],
    'first.test' => ['SRV' => [[20, 1, 1, 'c.test'], [10, 1, 1, 'b.test'], [20, 1, 1, 'd.test'], [10, 1, 1, 'a.test'], [30, 1, 1, 'e.test']]],
    'long.test' => ['only tcp' => true, 'A' => array_map(fn (int $i): string => "10.0.0.$i", range(1, 200))],
    'longer.test' => ['only tcp' => true, 'SRV' => array_map(fn (int $i): array => [0, 1, 11211, "pod-$i.a-long-name-of-a-service.namespace.svc.cluster.test"], range(1, 100))],
]);
$show = function (string $name): void {
    $servers = (new Pool($name, timeout: 5))->servers();
    $names = array_map(fn (array $server): string => "$server[host]:$server[port]:$server[weight]", $servers);
    echo $name, ' ', count($names) > 9 ? count($names) . " with $names[0]" : implode(' ', $names), "\n";
};
array_map($show, ['dns://four.test', 'dns://FOUR.test.:7', 'dns://six.test', 'dns://alias.test:1', 'dns+srv://_memcached._tcp.srv.test', 'dns+srv://first.test', 'dns://long.test', 'dns+srv://longer.test.']);
echo implode(', ', preg_grep('/long/', $dns->questions())), "\n";

echo "and values are there\n";
$nodes = [start_memcached(['tcp' => true]), start_memcached(['tcp' => true])];
$dns->tell(['nodes.test' => ['SRV' => array_map(fn (PrivateMemcached $node): array => [0, 1, $node->port, $node->host], $nodes)]]);
$cache = new Cache(new Pool('dns+srv://nodes.test', timeout: 5));
$values = array_combine(array_map(fn (int $i): string => "key$i", range(1, 40)), range(1, 40));
var_dump($cache->setMultiple($values), (new Cache(new Pool(array_column($nodes, 'address'))))->getMultiple(array_keys($values)) === $values);
?>
--EXPECT--
dns://four.test 10.0.0.10:11211:1 10.0.0.9:11211:1 9.0.0.1:11211:1
dns://FOUR.test.:7 10.0.0.10:7:1 10.0.0.9:7:1 9.0.0.1:7:1
dns://six.test 2001:db8::a:0:0:1:11211:1 fd00::1:11211:1 fd00::2:11211:1
dns://alias.test:1 10.0.0.1:1:1
dns+srv://_memcached._tcp.srv.test pod-0.srv.test:11211:1 pod-1.srv.test:11211:1 pod-1.srv.test:11212:1
dns+srv://first.test a.test:1:1 b.test:1:1
dns://long.test 200 with 10.0.0.100:11211:1
dns+srv://longer.test. 100 with pod-1.a-long-name-of-a-service.namespace.svc.cluster.test:11211:1
A long.test, TCP A long.test, SRV longer.test, TCP SRV longer.test
and values are there
bool(true)
bool(true)

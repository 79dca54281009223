--TEST--
Without a first list, an operation says what DNS replied, and the Pool recovers
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
use McPatterns\{Clock, Counter, Pool, ServerException};

require __DIR__ . '/../../../_support/dns_server.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$dns = start_dns_server();
$replies = [
    'no name' => null, 'an error' => ['code' => 2], 'no records' => ['A' => []], 'no reply' => ['silent' => true], 'too many' => ['only tcp' => true, 'A' => array_map(fn (int $i): string => '10.1.' . intdiv($i, 250) . '.' . $i % 250, range(1, 700))],
    'damage' => ['A' => ['10.0.0.1'], 'wrong' => 'cut'], 'an impossible port' => ['SRV' => [[0, 0, 0, 'a.test']]],
    'an impossible address' => ['SRV' => [[0, 0, 11211, '256.0.0.1']]],
];
$use = function (string $name) use (&$pool): void {
    try {
        $pool = new Pool($name, connectTimeout: 0.2, timeout: 0.4);
        (new Counter($pool, 'counter'))->increment();
    } catch (ServerException $error) {
        echo str_replace(ini_get('mcpatterns.resolv_conf'), 'FILE', $error->getMessage()), "\n";
    }
};
foreach ($replies as $reply) {
    $dns->tell($reply === null ? [] : ['cache.test' => $reply]);
    $use(isset($reply['SRV']) ? 'dns+srv://cache.test.' : 'dns://cache.test.');
    Clock::advance(2);
}
$dns->tell([]);
$use('dns+srv://_memcached._tcp.cache.test');
$dns->configure("# none\nsearch a.test\nnameserver name.test\nnameserver 10.0.0\nnameserver\n");
Clock::advance(2);
$use('dns://cache.test.');
$dns->configure('nameserver [127.0.0.1]:' . find_free_port());
Clock::advance(2);
$use('dns://cache.test.');

echo "no_discovery\n";
$report = Pool::diagnose($pool);
$found = array_filter($report['findings'], fn (array $finding): bool => in_array($finding['code'], ['no_discovery', 'unreachable', 'timeout', 'invalid_response']));
foreach ($found as $finding) {
    echo "$finding[code] $finding[subject]: $finding[finding]\n";
}
var_dump(array_diff_key($report['discovery'], ['asked' => 0]));

echo "it comes\n";
$node = start_memcached(['tcp' => true]);
$dns->configure();
$dns->tell(['cache.test' => ['A' => [$node->host]]]);
Clock::advance(2);
$pool = new Pool("dns://cache.test:$node->port", timeout: 5);
var_dump((new Counter($pool, 'counter'))->increment(), $pool->servers()[0]['host']);
?>
--EXPECT--
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied NXDOMAIN
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied SERVFAIL
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied with none
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., did not reply in time
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., replied with too many servers
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., sent no usable reply
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for SRV records of cache.test., sent no usable reply
Cannot increment the counter "counter" on cache.test.:11211: the server replied with an invalid list of servers
Cannot increment the counter "counter" on _memcached._tcp.cache.test:11211: the server was not found: nameserver 127.0.0.1, asked for SRV records of _memcached._tcp.cache.test, replied NXDOMAIN
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: FILE names no nameserver
Cannot increment the counter "counter" on cache.test.:11211: the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., could not be reached
no_discovery
no_discovery dns://cache.test.:11211: the endpoint was not found: nameserver 127.0.0.1, asked for address records of cache.test., could not be reached
array(6) {
  ["endpoint"]=>
  string(23) "dns://cache.test.:11211"
  ["tls"]=>
  bool(false)
  ["version"]=>
  NULL
  ["servers"]=>
  int(0)
  ["error"]=>
  string(110) "the server was not found: nameserver 127.0.0.1, asked for address records of cache.test., could not be reached"
  ["shared"]=>
  bool(true)
}
it comes
int(1)
string(9) "127.0.0.1"

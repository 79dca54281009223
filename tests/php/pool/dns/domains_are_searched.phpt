--TEST--
Names are completed by search and ndots of resolv.conf, as the system does
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

$dns = start_dns_server();
$resolve = function (string $name, string $configuration) use ($dns): void {
    Clock::advance(61);
    $dns->configure("nameserver [IP]:PORT\n$configuration\n");
    $dns->forget();
    $pool = new Pool("dns://$name", timeout: 5);
    echo "$name: ", implode(', ', $dns->questions()), ' => ', implode(' ', array_column($pool->servers(), 'host')), "\n";
};
$dns->tell([
    'cache' => ['A' => ['10.0.0.1']],
    'cache.b.test' => ['A' => ['10.0.0.2']],
    'cache.default.b.test' => ['AAAA' => ['fd00::1']],
    'broken.a.test' => ['code' => 2],
    'broken.b.test' => ['A' => ['10.0.0.3']],
    'empty.a.test' => [],
    'empty.b.test' => ['A' => ['10.0.0.4']],
]);
$resolve('cache', '');
$resolve('cache.', 'search a.test b.test');
$resolve('cache', "search x.test\nsearch a.test b.test. c.test\noptions timeout:1 ndots:5 edns0");
$resolve('cache.default', "domain b.test\noptions ndots:5");
$resolve('Cache.default', "search a.test b.test");
$resolve('broken', 'search a.test b.test');
$resolve('empty', 'search a.test b.test');
$resolve('none', 'search a.test');
$resolve('none.test', "; search x.test\nsearch	a.test  " . str_repeat('long.', 60) . 'test');
?>
--EXPECT--
cache: A cache => 10.0.0.1
cache.: A cache => 10.0.0.1
cache: A cache.a.test, A cache.b.test => 10.0.0.2
cache.default: A cache.default.b.test, AAAA cache.default.b.test => fd00::1
Cache.default: A Cache.default, A Cache.default.a.test, A Cache.default.b.test, AAAA Cache.default.b.test => fd00::1
broken: A broken.a.test, A broken.a.test, A broken.a.test => broken
empty: A empty.a.test, AAAA empty.a.test, A empty.b.test => 10.0.0.4
none: A none.a.test, A none => none
none.test: A none.test, A none.test.a.test => none.test

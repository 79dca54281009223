--TEST--
A new address moves only keys from its old or to its new one, a kept name none (G7.5)
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
$keys = array_map(fn (int $i): string => "key$i", range(1, 3000));
$look = function (Pool $pool) use ($keys): array {
    Clock::advance(30);
    $pool->servers();
    return array_combine($keys, array_map($pool->serverFor(...), $keys));
};
echo "addresses\n";
$dns->tell(['cache.test' => ['A' => ['10.0.0.1', '10.0.0.2', '10.0.0.3']]]);
$pool = new Pool('dns://cache.test', timeout: 5);
$before = $look($pool);
$dns->tell(['cache.test' => ['A' => ['10.0.0.77', '10.0.0.3', '10.0.0.1']]]);
$after = $look($pool);
$moved = array_diff_assoc($after, $before);
$others = array_filter(array_keys($moved), fn (string $key): bool => $before[$key] !== '10.0.0.2:11211' && $after[$key] !== '10.0.0.77:11211');
var_dump($others, array_diff(array_keys($before, '10.0.0.2:11211'), array_keys($moved)), count(array_unique($after)));

echo "a pod less\n";
$dns->tell(['cache.test' => ['A' => ['10.0.0.3', '10.0.0.1']]]);
$moved = array_diff_assoc($look($pool), $after);
var_dump(array_keys($moved) === array_keys($after, '10.0.0.77:11211'));

echo "names\n";
$srv = fn (int ...$numbers): array => array_map(fn (int $i): array => [0, intdiv(100, count($numbers)), 11211, "cache-$i.cache.test"], $numbers);
$dns->tell(['srv.test' => ['SRV' => $srv(0, 1, 2)]]);
$pool = new Pool('dns+srv://srv.test', timeout: 5);
$before = $look($pool);
$dns->tell(['srv.test' => ['SRV' => $srv(2, 0, 1)]]);
var_dump($look($pool) === $before);
$dns->tell(['srv.test' => ['SRV' => $srv(0, 1, 2, 3)]]);
$moved = array_diff_assoc($look($pool), $before);
var_dump(array_unique(array_values($moved)), count($moved) > 400 && count($moved) < 1100);
?>
--EXPECT--
addresses
array(0) {
}
array(0) {
}
int(3)
a pod less
bool(true)
names
bool(true)
array(1) {
  [0]=>
  string(24) "cache-3.cache.test:11211"
}
bool(true)

--TEST--
A Cache with copies works while a discovered list changes
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
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$nodes = array_map(fn (): string => start_memcached(['tcp' => true])->address, [1, 2, 3]);
$endpoint = start_discovery_endpoint();
$endpoint->tell(1, $nodes);
$pool = new Pool("discover://$endpoint->address", persistent: false);
$cache = new Cache($pool, ttl: 3600);
$copies = new Cache($pool, 'copies:', ttl: 3600, copies: 2);
$change = function (int $version, array $servers) use ($endpoint, $cache, $pool): void {
    $endpoint->tell($version, $servers);
    Clock::advance(60);
    $cache->get('key');
    echo count($pool->servers()), "\n";
};
for ($version = 2; $version < 14; $version += 4) {
    var_dump($copies->set('key', $version), $copies->get('key'));
    $change($version, [$nodes[0], $nodes[1]]);
    $change($version + 1, [$nodes[1]]);
    var_dump($copies->set('key', $version + 1), $copies->get('key'));
    $change($version + 2, [$nodes[2], $nodes[0]]);
    $change($version + 3, $nodes);
}
?>
--EXPECT--
bool(true)
int(2)
2
1
bool(true)
int(3)
2
3
bool(true)
int(6)
2
1
bool(true)
int(7)
2
3
bool(true)
int(10)
2
1
bool(true)
int(11)
2
3

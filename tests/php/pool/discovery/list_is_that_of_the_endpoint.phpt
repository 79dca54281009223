--TEST--
A Pool uses the servers that its endpoint lists by either command
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
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$nodes = [start_memcached(['tcp' => true])->address, start_memcached(['tcp' => true])->address];
$written = new Cache(new Pool($nodes));
foreach ([[], ['older' => true]] as $number => $options) {
    $endpoint = start_discovery_endpoint($options);
    $endpoint->tell(12, $nodes);
    $pool = new Pool("discover://$endpoint->address");
    var_dump(array_map(fn (array $server): string => "$server[host]:$server[port]:$server[weight]", $pool->servers()) === ["$nodes[0]:1", "$nodes[1]:1"]);
    $cache = new Cache($pool);
    $values = array_combine(array_map(fn (int $i): string => "key$number$i", range(1, 40)), range(1, 40));
    var_dump($cache->setMultiple($values), $written->getMultiple(array_keys($values)) === $values, count(array_unique(array_map($pool->serverFor(...), array_keys($values)))));
    var_dump($endpoint->asked());
}

echo "Memorystore has addresses alone\n";
$endpoint = start_discovery_endpoint();
$endpoint->tell_nodes(3, array_map(fn (string $node): string => preg_replace('/^(.*):(\d+)$/', '$1|$1|$2', $node), $nodes));
var_dump((new Cache(new Pool("discover://$endpoint->address")))->get('key040'));

echo "and the settings' Pool has one, too\n";
$endpoint->tell(4, [$nodes[1]]);
ini_set('mcpatterns.servers', "discover://localhost:" . explode(':', $endpoint->address)[1]);
var_dump(array_keys(Pool::default()->ping()) === [$nodes[1]]);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
int(2)
int(1)
bool(true)
bool(true)
bool(true)
int(2)
int(1)
Memorystore has addresses alone
int(40)
and the settings' Pool has one, too
bool(true)

--TEST--
Neither guarded reads nor open sessions move to newly discovered servers
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
use McPatterns\{Cache, Clock, Locking, Pool, SessionHandler};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$nodes = [start_memcached(['tcp' => true])->address, start_memcached(['tcp' => true])->address];
$endpoint = start_discovery_endpoint();
$endpoint->tell(1, [$nodes[0]]);
$pool = new Pool("discover://$endpoint->address");
$plain = new Cache($pool, 'plain:');
$now_at = function () use ($pool, $nodes, $plain): void {
    $plain->get('key');
    echo 'at ', array_search(array_keys($pool->ping())[0], $nodes), "\n";
};
$change = function (int $version, int $node) use ($endpoint, $nodes, $now_at): void {
    $endpoint->tell($version, [$nodes[$node]]);
    Clock::advance(60);
    $now_at();
};

echo "guarded\n";
$guarded = new Cache($pool, guarded: true);
var_dump($guarded->get('key'), $guarded->get('another'), $guarded->set('another', 'found and stored'));
$change(2, 1);
var_dump($guarded->set('key', 'found before'), $guarded->get('key'), $guarded->set('key', 'found after'), $guarded->get('key'));

echo "a session\n";
$handler = new SessionHandler($pool, locking: Locking::Merge, ttl: 600);
$handler->open('', '');
var_dump($handler->read('abc'));
$change(3, 0);
var_dump($handler->write('abc', 'seen|i:1;'));
$handler->close();
$now_at();
?>
--EXPECT--
guarded
NULL
NULL
bool(true)
at 1
bool(false)
NULL
bool(true)
string(11) "found after"
a session
string(0) ""
at 1
bool(true)
at 0

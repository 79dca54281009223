--TEST--
Pool::lastErrors() returns the reason and time of each server's last error
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/wrong_server.inc';

function show(Pool $pool, array $names): void
{
    foreach ($pool->lastErrors() as $address => $error) {
        echo $names[$address] ?? $address, ': ', $error === null ? 'null' : hide_handshake($error['message']) . " (at $error[at])", "\n";
    }
}

$hung = start_memcached();
$hung->freeze();
$good = start_memcached();
$names = [
    $hung->name => 'hung',
    $good->name => 'good',
    start_wrong_server("HTTP/1.1 400 Bad Request\r\n") => 'http',
    '127.0.0.1:' . find_free_port() => 'port',
    'unix:///nowhere/memcached.sock' => 'socket',
    str_repeat('a', 64) . ':11211' => 'host',
    'memory://m' => 'memory',
];
$pool = new Pool([$hung->address, $good->address, ...array_slice(array_keys($names), 2)], timeout: 0.8);
show($pool, $names);

echo "after a read\n";
Clock::freeze(1000);
$cache = new Cache($pool);
$cache->getMultiple(array_map(fn ($i) => "key$i", range(1, 100)));
show($pool, $names);
echo 'errors: ', $cache->stats()['errors'], ', misses: ', $cache->stats()['misses'], "\n";

echo "after a write, ten seconds later\n";
Clock::advance(10);
$cache->setMultiple(array_combine(array_map(fn ($i) => "key$i", range(1, 100)), range(1, 100)));
show($pool, $names);

echo "it answers again\n";
$hung->thaw();
Clock::advance(10);
$one = new Pool($hung->address, timeout: 0.8);
var_dump($one->ping()[$hung->name] !== null);
show($one, $names);

echo "closed\n";
$one->close();
show($one, $names);
?>
--EXPECTF--
hung: null
good: null
http: null
port: null
socket: null
host: null
memory: null
after a read
hung: the server did not reply within 800 ms (at 1000)
good: null
http: the server replied "HTTP/1.1 400 Bad Request", which is not the memcached protocol (at 1000)
port: the server could not be reached: connection refused, nothing listens there (at 1000)
socket: the server could not be reached: no such file (at 1000)
host: the server could not be reached: its host is unknown (at 1000)
memory: null
errors: %d, misses: 100
after a write, ten seconds later
hung: the server did not reply within 800 ms (at 1010)
good: null
http: the server replied "HTTP/1.1 400 Bad Request", which is not the memcached protocol (at 1010)
port: the server could not be reached: connection refused, nothing listens there (at 1010)
socket: the server could not be reached: no such file (at 1010)
host: the server could not be reached: its host is unknown (at 1010)
memory: null
it answers again
bool(true)
hung: the server did not reply within 800 ms (at 1010)
closed
hung: null

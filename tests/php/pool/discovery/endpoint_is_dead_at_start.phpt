--TEST--
A Pool with an unreachable endpoint starts empty and recovers with it
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
use McPatterns\{Cache, Clock, Counter, Pool, ServerException};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/discovery_endpoint.inc';

$node = start_memcached(['tcp' => true])->address;
$endpoint = start_discovery_endpoint();
$endpoint->stop();
$pool = new Pool("discover://$endpoint->address");
$cache = new Cache($pool, copies: 2); // of servers that may come
var_dump($cache->remember('key', 60, fn (): string => 'computed'), $cache->get('key'));
$fail = function () use ($pool, $endpoint): void {
    try {
        (new Counter($pool, 'counter'))->increment();
    } catch (ServerException $error) {
        echo str_replace($endpoint->address, 'ENDPOINT', $error->getMessage()), "\n";
    }
};
$fail();
var_dump(array_column($pool->servers(), 'port') === [(int) explode(':', $endpoint->address)[1]], $endpoint->asked());
foreach (["ERROR\r\n" => 'a memcached that is none', "CONFIG cluster 0 2\r\n1\n\r\nEND\r\n" => 'an empty list'] as $answer => $what) {
    echo "$what\n";
    $endpoint->answer($answer);
    $what === 'an empty list' || $endpoint->start();
    Clock::advance(2);
    $fail();
    Clock::advance(2);
    $fail();
}
echo "it comes\n";
$endpoint->tell(1, [$node]);
Clock::advance(2);
$fail();
var_dump(array_keys($pool->ping()) === [$node], (new Counter($pool, 'counter'))->increment(), (new Cache($pool))->set('key', 1));
?>
--EXPECT--
string(8) "computed"
NULL
Cannot increment the counter "counter" on ENDPOINT: circuit breaker is open: the server could not be reached: connection refused, nothing listens there
bool(true)
int(0)
a memcached that is none
Cannot increment the counter "counter" on ENDPOINT: the server could not be reached: connection refused, nothing listens there
Cannot increment the counter "counter" on ENDPOINT: the server replied "ERROR" to "config get cluster": it is not a discovery endpoint
an empty list
Cannot increment the counter "counter" on ENDPOINT: the server replied "ERROR" to "config get cluster": it is not a discovery endpoint
Cannot increment the counter "counter" on ENDPOINT: the server replied with a list of 0 servers
it comes
Cannot increment the counter "counter" on ENDPOINT: the server replied with a list of 0 servers
bool(true)
int(1)
bool(true)

--TEST--
1,000 persistent Pools share 1 connection until close()
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();

// One of them is the connection that asks; those that asked before may take a moment to be gone.
function connections(): int
{
    global $server;
    for ($least = PHP_INT_MAX, $try = 0; $try < 5; $try++, usleep(5000)) {
        $least = min($least, (int) $server->stats()['curr_connections']);
    }
    return $least;
}

$none = connections();
$pools = [];
for ($i = 0; $i < 1000; $i++) {
    $pools[$i] = new Pool($server->address, "prefix$i:");
    $pools[$i]->ping();
}
echo 'shared: ', connections() - $none, "\n";

$other = new Pool($server->address, timeout: 0.75);
$other->ping();
echo 'with another timeout: ', connections() - $none, "\n";

$own = new Pool($server->address, persistent: false);
$own->ping();
echo 'with one of its own: ', connections() - $none, "\n";
unset($own);
wait_until(fn () => connections() - $none === 2);
echo 'after that: ', connections() - $none, "\n";

$pools[7]->close();
wait_until(fn () => connections() - $none === 1);
echo 'closed: ', connections() - $none, "\n";
var_dump(is_float($pools[8]->ping()[$server->name]));
echo 'used again: ', connections() - $none, "\n";

function wait_until(callable $condition): void
{
    for ($try = 0; $try < 500 && !$condition(); $try++) {
        usleep(10000);
    }
}
?>
--EXPECT--
shared: 1
with another timeout: 2
with one of its own: 3
after that: 2
closed: 1
bool(true)
used again: 2

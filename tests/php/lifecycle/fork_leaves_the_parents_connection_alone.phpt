--TEST--
A forked child opens own connections and never disturbs its parent's
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\Pool;

require __DIR__ . '/../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached()];
$addresses = array_map(fn ($server) => $server->address, $servers);
$pools = [
    new Pool($addresses),
    new Pool($addresses, persistent: false),
    new Pool($addresses[0]),
];
$are_up = fn () => array_sum(array_map(fn ($pool) => count(array_filter($pool->ping())), $pools));

echo 'before: ', $are_up(), "\n";
$total = fn () => array_sum(array_map(fn ($server) => (int) $server->stats()['total_connections'], $servers));
$before = $total();

foreach (['uses', 'closes', 'only ends', 'drops pools and ends'] as $what) {
    $child = pcntl_fork();
    if ($child === 0) {
        if ($what === 'uses') {
            exit($are_up());
        }
        if ($what === 'closes') {
            array_map(fn ($pool) => $pool->close(), $pools);
            exit($are_up());
        }
        if ($what === 'drops pools and ends') {
            $pools = [];
        }
        exit(0);
    }
    pcntl_waitpid($child, $status);
    echo "child $what: ", pcntl_wexitstatus($status), "\n";
    echo 'parent: ', $are_up(), "\n";
}

// Two children with four connections each, and what asked the servers; the parent made none anew.
echo 'new connections: ', $total() - $before - 2, "\n";
?>
--EXPECT--
before: 5
child uses: 5
parent: 5
child closes: 5
parent: 5
child only ends: 0
parent: 5
child drops pools and ends: 0
parent: 5
new connections: 8

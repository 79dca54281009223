--TEST--
drainMany() drains counters of reachable servers, then throws for the others
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

by_each_transport(function (Transport $transport) {
    $servers = [start_memcached(), start_memcached()];
    $addresses = array_map(fn ($server) => $server->address, $servers);
    $pool = new Pool($addresses, transport: $transport, timeout: 10, retryAfter: 0.01);
    $names = array_map(fn (int $i) => "views:$i", range(1, 300));
    $count = function () use ($pool, $names) {
        foreach ($names as $i => $name) {
            (new Counter($pool, $name))->increment($i + 1);
        }
    };
    $of_second = array_values(array_filter($names, fn (string $name) => $pool->serverFor($name) === $servers[1]->name));
    $of_first = array_values(array_diff($names, $of_second));
    $stored = [];
    $store = function (array $amounts) use (&$stored) { $stored += $amounts; };

    $count();
    $servers[1]->kill();
    try {
        Counter::drainMany($pool, $names, $store);
    } catch (ServerException $error) {
        $message = str_replace([...array_column($servers, 'name'), (string) count($of_second), $of_second[0]], ['first', 'second', 'N', 'its first'], $error->getMessage());
        echo preg_replace('/: .*/', '', $message), "\n";
    }
    var_dump(array_keys($stored) === $of_first, count($of_first) > 50, count($of_second) > 50);

    // The killed one has lost what it had; what is counted from now on is drained.
    $servers[1]->start();
    $pool->close();                     // counting over a broken connection may have counted
    $stored = [];
    $count();
    var_dump(Counter::drainMany($pool, $names, $store), array_sum($stored) === array_sum(range(1, 300)));

    // One that hangs has taken nothing or says how much it may have taken.
    $count();
    $impatient = new Pool($addresses, transport: $transport, timeout: 1.5, retryAfter: 60);     // the first one answers in that, however busy the machine
    $stored = [];
    $servers[1]->freeze();
    try {
        Counter::drainMany($impatient, $names, $store);
    } catch (ServerException $error) {
        echo str_contains($error->getMessage(), $servers[1]->name) ? 'the second' : $error->getMessage(), "\n";
    }
    $servers[1]->thaw();
    var_dump(array_keys($stored) === $of_first);
    $impatient->close();
});
?>
--EXPECT--
Cannot drain N counters, the first of them "its first" on second
bool(true)
bool(true)
bool(true)
int(300)
bool(true)
the second
bool(true)

--TEST--
A call for many keys waits once for each host that drops packets, over either transport
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Metrics, Pool, Semaphore, Table, Transport};

require __DIR__ . '/../../_support/memcached.inc';

// A full queue of connections drops further ones.
$options = stream_context_create(['socket' => ['backlog' => 1]]);
for ($host = 0; $host < 3; $host++) {
    $full[] = stream_socket_server('tcp://127.0.0.1:0', context: $options) ?: die('no socket');
    $names[] = $name = stream_socket_get_name(end($full), false);
    for ($i = 0; $i < 6; $i++) {
        $waiting[] = @stream_socket_client("tcp://$name", timeout: 0.05, flags: STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
    }
}

$keys = array_map(strval(...), range(1, 40));
$calls = [
    'getMultiple' => fn(Pool $pool) => (new Cache($pool))->getMultiple($keys),
    'remember, tagged' => fn(Pool $pool) => (new Cache($pool))->tagged(...$keys)->remember('key', 60, fn() => 1),
    'rows' => fn(Pool $pool) => (new Table($pool, 'table'))->rows($keys),
    'acquire' => fn(Pool $pool) => (new Semaphore($pool, 'semaphore', 40))->acquire(),
];
by_each_transport(function (Transport $transport) use ($calls, $keys, $name, $names): void {
    foreach ($calls as $what => $call) {
        $pool = new Pool($name, transport: $transport, connectTimeout: 0.2, retryAfter: 60, persistent: false);
        $started = microtime(true);
        try {
            $call($pool);
        } catch (McPatterns\ServerException) {
        }
        $time = microtime(true) - $started;
        $time < 2 || print "$what takes $time s: 8 s are one timeout for each key\n";
        $why = $pool->lastErrors()[$name]['message'];
        $why === 'the server could not be reached within 200 ms' || print "$what: $why\n";
    }
    // The pause is shorter than the timeouts of three hosts together, and the timeout of a reply much shorter.
    Metrics::reset();
    $pool = new Pool($names, transport: $transport, connectTimeout: 0.3, timeout: 0.05, retryAfter: 0.4, persistent: false, failover: true);
    (new Cache($pool))->getMultiple($keys);
    $openings = array_column(Metrics::read()['servers'], 'breaker_openings', 'server');
    foreach ($names as $host) {
        $count = $openings[$host] ?? 0;
        $count === 1 || print "one of three hosts failed $count times\n";
    }
});
echo 'done';
?>
--EXPECT--
done

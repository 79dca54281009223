--TEST--
A call for many keys waits once for a host that drops packets, over either transport
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Semaphore, Table, Transport};

require __DIR__ . '/../../_support/memcached.inc';

// A full queue of connections drops further ones.
$options = stream_context_create(['socket' => ['backlog' => 1]]);
$full = stream_socket_server('tcp://127.0.0.1:0', context: $options) ?: die('no socket');
$name = stream_socket_get_name($full, false);
for ($i = 0; $i < 6; $i++) {
    $waiting[] = @stream_socket_client("tcp://$name", timeout: 0.05, flags: STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
}

$keys = array_map(strval(...), range(1, 40));
$calls = [
    'getMultiple' => fn(Pool $pool) => (new Cache($pool))->getMultiple($keys),
    'remember, tagged' => fn(Pool $pool) => (new Cache($pool))->tagged(...$keys)->remember('key', 60, fn() => 1),
    'rows' => fn(Pool $pool) => (new Table($pool, 'table'))->rows($keys),
    'acquire' => fn(Pool $pool) => (new Semaphore($pool, 'semaphore', 40))->acquire(),
];
by_each_transport(function (Transport $transport) use ($calls, $name): void {
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
});
echo 'done';
?>
--EXPECT--
done

--TEST--
A call for many keys does not ask a frozen server again while it waits for the others
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Metrics, Pool, ServerException, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$keys = array_map(fn(int $i) => "key $i", range(1, 30));
$calls = [
    'getMultiple' => fn(Pool $pool) => (new Cache($pool))->getMultiple($keys),
    'rememberMany' => fn(Pool $pool) => (new Cache($pool))->rememberMany($keys, 60, fn(array $missing) => array_fill_keys($missing, 1)),
    'setMultiple, tagged' => fn(Pool $pool) => (new Cache($pool))->tagged('a', 'b')->setMultiple(array_fill_keys($keys, 1)),
    'drainMany' => fn(Pool $pool) => Counter::drainMany($pool, $keys, fn() => null),
];
by_each_transport(function (Transport $transport) use ($calls): void {
    $live = start_memcached();
    $frozen = [start_memcached(), start_memcached(), start_memcached()];
    foreach ($frozen as $server) {
        $server->freeze();
    }
    foreach ($calls as $what => $call) {
        Metrics::reset();
        // Shorter than the timeouts of three servers together. Over TLS, each costs the handshake's.
        $pool = new Pool([$live->address, ...array_column($frozen, 'address')], transport: $transport, connectTimeout: 0.4, timeout: 0.2, retryAfter: 0.3, persistent: false, failover: true);
        try {
            $call($pool);
        } catch (ServerException) {
        }
        $openings = array_column(Metrics::read()['servers'], 'breaker_openings', 'server');
        foreach ($frozen as $server) {
            // Twice if the call reads what became of its request.
            $count = $openings[$server->name] ?? 0;
            in_array($count, [1, 2], true) || print "$what: a frozen server failed $count times\n";
        }
    }
    foreach ($frozen as $server) {
        $server->thaw();
    }
});
echo 'done';
?>
--EXPECT--
done

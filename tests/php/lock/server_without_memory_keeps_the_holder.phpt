--TEST--
A full server leaves the lock to its holder (L1)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Lock, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call): void
{
    try {
        $answer = json_encode($call());
    } catch (ServerException $error) {
        $answer = preg_replace('/.*: (the server replied "SERVER_ERROR out of memory).*/', '$1"', $error->getMessage());
    }
    echo "$name: $answer\n";
}

/* With -M it evicts nothing. */
by_each_transport(function (Transport $transport) {
    $server = start_memcached(['memory' => 2, 'arguments' => ['-M']]);
    [$ours, $theirs] = array_map(fn () => new Pool($server->address, transport: $transport, timeout: 10), [0, 1]);
    $holder = new Lock($ours, 'job', ttl: 60);
    $rival = new Lock($theirs, 'job', ttl: 60);
    attempt('acquire', fn () => $holder->acquire());
    // With items of this size alone: what releases it is smaller.
    preg_match('/ (\d+)\r\n/', $server->raw('get lock:job'), $length);
    $server->fill((int) $length[1], (int) $length[1]);
    attempt("rival's acquire", fn () => $rival->acquire());
    attempt('is still held', fn () => $holder->isHeld(verify: true));
    attempt('refresh', fn () => $holder->refresh());
    attempt('is still held', fn () => $holder->isHeld(verify: true));
    attempt('release', fn () => $holder->release());
});
?>
--EXPECT--
acquire: true
rival's acquire: the server replied "SERVER_ERROR out of memory"
is still held: true
refresh: the server replied "SERVER_ERROR out of memory"
is still held: true
release: true

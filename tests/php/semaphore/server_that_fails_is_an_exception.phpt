--TEST--
Semaphore throws ServerException within timeouts for a failed server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Semaphore, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call): void
{
    $start = hrtime(true);
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (ServerException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        // Over Direct a try is sent with the look, and a try without an answer may have been carried out.
        $message = str_replace('outcome unknown: ', '', $error->getMessage());
        echo "$name: ", hide_handshake(hide_servers($message)), $took < 5 ? '' : " after $took s", "\n";
    }
}

$calls = [
    'acquire' => fn ($semaphore) => $semaphore->acquire(),
    'run' => fn ($semaphore) => $semaphore->run('time'),
    'available' => fn ($semaphore) => $semaphore->available(),
];
foreach ($calls as $name => $call) {
    attempt($name, fn () => $call(new Semaphore(new Pool('unix:///nowhere/memcached.sock'), 'export', 3)));
}
$server = start_memcached();
$pool = new Pool($server->address, timeout: 0.2, retryAfter: 0);
$held = new Semaphore($pool, 'export', 3);
attempt('acquire', fn () => $held->acquire());
$hangs = [
    'another' => fn () => (new Semaphore($pool, 'import', 3))->acquire(wait: 60),
    'available' => fn () => $held->available(),
    'refresh' => fn () => $held->refresh(),
    'token' => fn () => $held->token(),
    'release' => fn () => $held->release(),
];
foreach ($hangs as $name => $call) {
    $server->while_frozen(fn () => $held->available(), fn () => attempt($name, $call));
}
attempt('release', fn () => $held->release());
attempt('available', fn () => $held->available());
?>
--EXPECT--
acquire: Cannot acquire the semaphore "export" on server: the server could not be reached: no such file
run: Cannot acquire the semaphore "export" on server: circuit breaker is open: the server could not be reached: no such file
available: Cannot read the semaphore "export" on server: circuit breaker is open: the server could not be reached: no such file
acquire: true
another: Cannot acquire the semaphore "import" on server: the server did not reply within 200 ms
available: Cannot read the semaphore "export" on server: the server did not reply within 200 ms
refresh: Cannot refresh the semaphore "export" on server: the server did not reply within 200 ms
token: Cannot get a fencing token for the semaphore "export" on server: the server did not reply within 200 ms
release: Cannot release the semaphore "export" on server: the server did not reply within 200 ms
release: true
available: 3

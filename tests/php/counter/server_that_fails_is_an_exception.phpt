--TEST--
Each Counter method throws ServerException within timeouts and repeats no increment
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool, ServerException, Transport};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(Counter $counter, string $method, float $limit, ...$arguments): void
{
    global $server;
    $start = hrtime(true);
    try {
        $answer = $counter->$method(...$arguments);
        echo "$method: ", json_encode($answer), "\n";
    } catch (ServerException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        echo str_replace($server->name, 'server', $error->getMessage()), $took < $limit ? '' : " after $took s", "\n";
    }
}

$server = start_memcached();
$methods = ['increment' => [], 'decrement' => [], 'value' => [], 'set' => [1], 'reset' => [], 'drain' => []];
$missing = new Counter(new Pool('unix:///nowhere/memcached.sock'), 'views', fn () => exit("run without a server\n"));
foreach ($methods as $method => $arguments) {
    attempt($missing, $method, 1, ...$arguments);
}
// By text: over Direct a server that hangs is asked a question first, and hears nothing of a drain.
$pool = new Pool($server->address, timeout: 0.2, retryAfter: 0, transport: Transport::Libmemcached);
$counter = new Counter($pool, 'views');
$counter->set(100);
$server->freeze();
foreach ($methods as $method => $arguments) {
    if ($method !== 'set' && $method !== 'reset') {
        attempt($counter, $method, 3, ...$arguments);
    }
}
$server->thaw();
// An increment and a decrement arrived late, each of them once.
for ($seen = [], $try = 0; $try < 500 && count($seen) < 20; $try++) {
    usleep(5000);
    $value = $counter->value();
    $seen = in_array($value, $seen) ? [...$seen, $value] : [$value];
}
echo $value, "\n";
?>
--EXPECT--
Cannot increment the counter "views" on unix:///nowhere/memcached.sock: the server could not be reached: no such file
Cannot decrement the counter "views" on unix:///nowhere/memcached.sock: circuit breaker is open: the server could not be reached: no such file
Cannot read the counter "views" on unix:///nowhere/memcached.sock: circuit breaker is open: the server could not be reached: no such file
Cannot set the counter "views" on unix:///nowhere/memcached.sock: circuit breaker is open: the server could not be reached: no such file
Cannot reset the counter "views" on unix:///nowhere/memcached.sock: circuit breaker is open: the server could not be reached: no such file
Cannot drain the counter "views" on unix:///nowhere/memcached.sock: circuit breaker is open: the server could not be reached: no such file
Cannot increment the counter "views" on server: outcome unknown: the server did not reply within 200 ms
Cannot decrement the counter "views" on server: outcome unknown: the server did not reply within 200 ms
Cannot read the counter "views" on server: the server did not reply within 200 ms
Cannot drain the counter "views" on server: outcome unknown: the server did not reply within 200 ms
100

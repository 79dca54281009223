--TEST--
OnlineCounter throws ServerException for a failed server, never a partial count
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{OnlineCounter, Pool, ServerException, StoredValueException};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call, float $limit = 5): void
{
    $start = hrtime(true);
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (ServerException | StoredValueException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        echo "$name: ", hide_servers($error->getMessage()), $took < $limit ? '' : " after $took s", "\n";
    }
}

$missing = new OnlineCounter(new Pool('unix:///nowhere/memcached.sock'), 'page');
$calls = [
    'increment' => fn ($online) => $online->increment(),
    'hit' => fn ($online) => $online->hit('anna'),
    'count' => fn ($online) => $online->count(),
    'count, smooth' => fn ($online) => $online->count(smooth: true),
    'perSlot' => fn ($online) => $online->perSlot(),
];
foreach ($calls as $name => $call) {
    attempt($name, fn () => $call($missing));
}

// The slots of a day by the hour are on both servers.
$servers = [start_memcached(), start_memcached()];
$online = new OnlineCounter(new Pool(array_column($servers, 'address'), timeout: 0.2, retryAfter: 0), 'page', 86400, 24);
attempt('both there', fn () => $online->count());
foreach (['count', 'count, smooth', 'perSlot'] as $name) {
    $servers[1]->while_frozen(fn () => $online->count(), fn () => attempt("one hangs, $name", fn () => $calls[$name]($online), 3));
}
attempt('both again', fn () => $online->count());
$servers[0]->kill();
foreach (['count', 'count, smooth', 'perSlot'] as $name) {
    attempt("one killed, $name", fn () => $calls[$name]($online), 3);
}

// A slot that holds something else: nothing is counted, and the visitor's mark goes.
$server = $servers[1];
$pool = new Pool($server->address);
$slot = 'online:day:' . intdiv(time(), 86400);
$server->raw("set $slot 0 0 5\r\nhello");
$day = new OnlineCounter($pool, 'day', 86400, 1);
attempt('foreign slot, hit', fn () => $day->hit('anna'));
$server->raw("delete $slot");
attempt('after that, hit', fn () => $day->hit('anna'));
attempt('again, hit', fn () => $day->hit('anna'));
?>
--EXPECT--
increment: Cannot increment the online counter "page" on server: the server could not be reached: no such file
hit: Cannot count a visitor in the online counter "page" on server: circuit breaker is open: the server could not be reached: no such file
count: Cannot read the online counter "page" on server: circuit breaker is open: the server could not be reached: no such file
count, smooth: Cannot read the online counter "page" on server: circuit breaker is open: the server could not be reached: no such file
perSlot: Cannot read the online counter "page" on server: circuit breaker is open: the server could not be reached: no such file
both there: 0
one hangs, count: Cannot read the online counter "page" on server: the server did not reply within 200 ms
one hangs, count, smooth: Cannot read the online counter "page" on server: the server did not reply within 200 ms
one hangs, perSlot: Cannot read the online counter "page" on server: the server did not reply within 200 ms
both again: 0
one killed, count: Cannot read the online counter "page" on server: the server could not be reached: connection refused, nothing listens there
one killed, count, smooth: Cannot read the online counter "page" on server: the server could not be reached: connection refused, nothing listens there
one killed, perSlot: Cannot read the online counter "page" on server: the server could not be reached: connection refused, nothing listens there
foreign slot, hit: Cannot count a visitor in the online counter "day" on server: the stored value is not a number; does another class or client use the key?
after that, hit: true
again, hit: false

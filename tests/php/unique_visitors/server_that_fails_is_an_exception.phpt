--TEST--
UniqueVisitors throws ServerException within timeouts for a failed server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, ServerException, StoredValueException, UniqueVisitors};

require __DIR__ . '/../../_support/memcached.inc';

function attempt(string $name, callable $call): void
{
    $start = hrtime(true);
    try {
        $answer = $call();
        echo "$name: ", json_encode($answer), "\n";
    } catch (ServerException | StoredValueException $error) {
        $took = (hrtime(true) - $start) / 1e9;
        // A hit looks behind a write without an answer over a new connection.
        echo "$name: ", hide_handshake(hide_servers($error->getMessage())), $took < 5 ? '' : " after $took s", "\n";
    }
}

$missing = new UniqueVisitors(new Pool('unix:///nowhere/memcached.sock'), 'page');
attempt('hit', fn () => $missing->hit('anna'));
attempt('count', fn () => $missing->count());
attempt('perSlot', fn () => $missing->perSlot());

Clock::freeze(1_800_000_000.0);
$server = start_memcached();
$unique = new UniqueVisitors(new Pool($server->address, timeout: 0.2, retryAfter: 0), 'page', 60, 1);
attempt('hit', fn () => $unique->hit('anna'));
$hangs = [
    'hit' => fn () => $unique->hit('bert'),
    'known' => fn () => $unique->hit('anna'),
    'count' => fn () => $unique->count(),
    'union' => fn () => (new UniqueVisitors(new Pool('memory://m'), 'm'))->count($unique),
];
foreach ($hangs as $name => $call) {
    $server->while_frozen(fn () => $unique->count(), fn () => attempt($name, $call));
}
attempt('hit', fn () => $unique->hit('bert'));
attempt('count', fn () => $unique->count());
$server->kill();
attempt('hit', fn () => $unique->hit('carl'));
$server->start();
$server->raw("set unique:page:30000000 0 0 5\r\nhello");
attempt('foreign', fn () => $unique->count());
$server->raw("delete unique:page:30000000");
(new UniqueVisitors(new Pool($server->address), 'page', 60, 1, precision: 14))->hit('anna');
attempt('another precision', fn () => $unique->count());
?>
--EXPECT--
hit: Cannot count a visitor in the unique visitors "page" on server: the server could not be reached: no such file
count: Cannot read the unique visitors "page" on server: circuit breaker is open: the server could not be reached: no such file
perSlot: Cannot read the unique visitors "page" on server: circuit breaker is open: the server could not be reached: no such file
hit: null
hit: Cannot count a visitor in the unique visitors "page" on server: outcome unknown: the server did not reply within 200 ms
known: null
count: Cannot read the unique visitors "page" on server: the server did not reply within 200 ms
union: Cannot read the unique visitors "page" on server: the server did not reply within 200 ms
hit: null
count: 2
hit: Cannot count a visitor in the unique visitors "page" on server: the server could not be reached: connection refused, nothing listens there
foreign: Cannot read the unique visitors "page": the stored item is not a sketch of this precision
another precision: Cannot read the unique visitors "page": the stored item is not a sketch of this precision

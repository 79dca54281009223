--TEST--
Pool::onError() reports each kind of error once per second and server
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, OnlineCounter, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/told.inc';

$down = 'unix:///nowhere/memcached.sock';
$hung = start_memcached();
$hung->freeze();
$names = [$down => 'down', $hung->name => 'hung'];

echo "every class\n";
$pool = new Pool($down);
$pool->onError(show_what_is_told($names));
$other = new Pool($down);
$other->onError(fn () => print("another Pool's listener\n"));
$cache = new Cache($pool);
$operations = [
    'get' => fn () => $cache->get('k'),
    'set' => fn () => $cache->set('k', 1),
    'getMultiple' => fn () => $cache->getMultiple(['a', 'b', 'c']),
    'setMultiple' => fn () => $cache->setMultiple(['a' => 1, 'b' => 2]),
    'deleteMultiple' => fn () => $cache->deleteMultiple(['a', 'b']),
    'increment' => fn () => $cache->increment('k'),
    'remember' => fn () => $cache->remember('k', 10, fn () => 'computed'),
    'Lock' => fn () => (new Lock($pool, 'l'))->acquire(),
    'Counter' => fn () => (new Counter($pool, 'c'))->increment(),
    'OnlineCounter' => fn () => (new OnlineCounter($pool, 'o'))->count(),
    'ping' => fn () => $pool->ping(),
    'flush' => fn () => $pool->flush(),
];
foreach ($operations as $name => $operation) {
    Clock::advance(1);
    echo "$name\n";
    try {
        $operation();
    } catch (McPatterns\ServerException) {
        echo "  caught\n";
    }
}

echo "once a second\n";
Clock::advance(0.4);
$cache->get('k');
echo "  nothing\n";
Clock::advance(0.6);
$cache->get('k');
$cache->get('k');

echo "each of several servers, with all there is to know\n";
Clock::freeze(2_000_000_000);
$two = new Pool([$down, $hung->address], timeout: 0.2);
$two->onError(function (string $message, array $context) use ($names) {
    echo '  ', str_replace(array_keys($names), array_values($names), hide_handshake($message) . ' ' . json_encode($context, JSON_UNESCAPED_SLASHES)), "\n";
});
(new Cache($two))->getMultiple(array_map(fn ($i) => "k$i", range(1, 50)));

echo "a server that is left alone\n";
Clock::advance(1);
$slow = new Pool($hung->address, timeout: 0.2, retryAfter: 100);
$slow->onError(show_what_is_told($names));
$cache = new Cache($slow);
$cache->get('k');
Clock::advance(1);
$cache->get('k');

echo "null\n";
Clock::advance(1);
$slow->onError(null);
$cache->get('k');
(new Pool($down))->onError(null);
?>
--EXPECT--
every class
get
  told: down: the server could not be reached: no such file
set
  told: down: the server could not be reached: no such file
getMultiple
  told: down: the server could not be reached: no such file
setMultiple
  told: down: the server could not be reached: no such file
deleteMultiple
  told: down: the server could not be reached: no such file
increment
  told: down: the server could not be reached: no such file
remember
  told: down: the server could not be reached: no such file
Lock
  told: down: the server could not be reached: no such file
  caught
Counter
  told: down: the server could not be reached: no such file
  caught
OnlineCounter
  told: down: the server could not be reached: no such file
  caught
ping
  told: down: the server could not be reached: no such file
flush
  told: down: the server could not be reached: no such file
once a second
  nothing
  told: down: the server could not be reached: no such file
each of several servers, with all there is to know
  down: the server could not be reached: no such file {"kind":"server","server":"down","at":2000000000}
  hung: the server did not reply within 200 ms {"kind":"server","server":"hung","at":2000000000}
a server that is left alone
  told: hung: the server did not reply within 200 ms
  told: hung: circuit breaker is open: the server did not reply within 200 ms
null

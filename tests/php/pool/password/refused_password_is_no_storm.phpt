--TEST--
A rejected password throws ServerException and is retried once in $retryAfter
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, MemberSet, Pool, Semaphore, ServerException, Table, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached(['password' => 'alice:s3cret']);
$right = new Pool($server->address, transport: Transport::Direct, user: 'alice', password: 's3cret');
$wrong = new Pool($server->address, transport: Transport::Direct, retryAfter: 60, user: 'alice', password: 'wrong-one');
$none = new Pool($server->address, transport: Transport::Direct, retryAfter: 60);

$good = new Cache($right);
$good->set('key', 'value');
$before = (int) $server->stats()['auth_errors'];
$cache = new Cache($wrong);
for ($i = 0; $i < 20; $i++) {
    $cache->get('key') === null || die('what the right one stored');
    $good->get('key') === 'value' || die('the other Pool fails');
}
try {
    (new Counter($wrong, 'visits'))->increment();
} catch (ServerException $refused) {
    echo str_replace($server->name, 'SERVER', $refused->getMessage()), "\n";
}
echo 'asked: ', $server->stats()['auth_errors'] - $before, "\n";
echo $wrong->lastErrors()[$server->name]['message'], "\n";
echo (new Cache($none))->get('key', 'nothing'), ': ', $none->lastErrors()[$server->name]['message'], "\n";
// Over either transport. memcached answers it like an increment of what is not a number.
try {
    (new Counter(new Pool($server->address), 'visits'))->increment();
} catch (ServerException $refused) {
    echo str_replace($server->name, 'SERVER', $refused->getMessage()), "\n";
}
echo (new Counter(new Pool($server->address), 'visits', whenDown: 0))->increment(), "\n";
// Patterns that want proofs ask the server for its settings first.
$locked = [
    fn(Pool $pool) => (new Lock($pool, 'a'))->acquire(),
    fn(Pool $pool) => (new Semaphore($pool, 'a', 2))->acquire(),
    fn(Pool $pool) => (new MemberSet($pool, 'a'))->add('b'),
    fn(Pool $pool) => (new Table($pool, 'a'))->put('b', ['c' => 1]),
];
foreach ($locked as $use) {
    try {
        $use(new Pool($server->address, timeout: 60));
    } catch (ServerException $refused) {
        echo preg_match('/: the server replied "CLIENT_ERROR .*authenticat.*"$/', $refused->getMessage());
    }
}
echo "\n";
// One connection is for stats().
$before = (int) $server->stats()['total_connections'];
(new Cache(new Pool($server->address)))->expireMultiple(array_map(strval(...), range(1, 200)));
$connections = $server->stats()['total_connections'] - $before - 1;
$connections <= 5 || print "expireMultiple() connects $connections times\n";
?>
--EXPECT--
Cannot increment the counter "visits" on SERVER: circuit breaker is open: the server rejected the user or the password
asked: 1
the server rejected the user or the password
nothing: the server replied "CLIENT_ERROR unauthenticated"
Cannot increment the counter "visits" on SERVER: the server replied "CLIENT_ERROR unauthenticated"
0
1111

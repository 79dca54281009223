--TEST--
A rejected password throws ServerException and is retried once in $retryAfter
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Pool, ServerException, Transport};

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
?>
--EXPECT--
Cannot increment the counter "visits" on SERVER: circuit breaker is open: the server rejected the user or the password
asked: 1
the server rejected the user or the password
nothing: the server replied "CLIENT_ERROR unauthenticated"
Cannot increment the counter "visits" on SERVER: the server replied "CLIENT_ERROR unauthenticated"
0

--TEST--
Each MemberSet method throws ServerException for a failed server, never partial sets
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{MemberSet, Pool, ServerException};

require __DIR__ . '/../../_support/memcached.inc';

$try_all = function (string $when, PrivateMemcached $server, MemberSet $set): void {
    $calls = [
        'add' => fn () => $set->add('anna'),
        'remove' => fn () => $set->remove('anna'),
        'has' => fn () => $set->has('anna'),
        'members' => fn () => $set->members(),
        'count' => fn () => $set->count(),
        'clear' => fn () => $set->clear(),
    ];
    foreach ($calls as $name => $call) {
        try {
            $server->while_frozen(fn () => $set->has('anna'), $call);
            echo "$when: $name answers\n";
        } catch (ServerException $exception) {
            echo "$when: ", hide_servers($exception->getMessage()), "\n";
        }
    }
};
$server = start_memcached();
$set = new MemberSet(new Pool($server->address, timeout: 0.2, retryAfter: 0), 'ids');
$set->add('anna');
$try_all('hangs', $server, $set);

$servers = [$server, start_memcached()];
$wide = new MemberSet(new Pool(array_column($servers, 'address'), timeout: 0.2, retryAfter: 0), 'wide', shards: 32);
$wide->add(...range('a', 'z'));
$servers[1]->kill();
foreach (['members', 'count'] as $method) {
    try {
        $wide->$method();
        echo "$method answers\n";
    } catch (ServerException $exception) {
        echo hide_servers($exception->getMessage()), "\n";
    }
}
?>
--EXPECT--
hangs: Cannot add to the member set "ids" on server: outcome unknown: the server did not reply within 200 ms
hangs: Cannot remove from the member set "ids" on server: outcome unknown: the server did not reply within 200 ms
hangs: Cannot read the member set "ids" on server: the server did not reply within 200 ms
hangs: Cannot read the member set "ids" on server: the server did not reply within 200 ms
hangs: Cannot read the member set "ids" on server: the server did not reply within 200 ms
hangs: Cannot clear the member set "ids" on server: outcome unknown: the server did not reply within 200 ms
Cannot read the member set "wide" on server: the server could not be reached: connection refused, nothing listens there
Cannot read the member set "wide" on server: the server could not be reached: connection refused, nothing listens there

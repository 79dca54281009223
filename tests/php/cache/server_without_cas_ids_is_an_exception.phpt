--TEST--
Operations that need CAS values throw on a memcached with -C
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Lock, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached(['arguments' => ['-C']]);
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 10);
$tell = function (string $what, callable $call) use ($server): void {
    try {
        $answer = json_encode($call());
        echo "$what: $answer\n";
    } catch (McPatterns\Exception $exception) {
        echo "$what: ", get_class($exception), ': ', str_replace($server->name, 'ADDRESS', $exception->getMessage()), "\n";
    }
};

$tell('set', fn () => $cache->set('key', 1));
$tell('get', fn () => $cache->get('key'));
$tell('getMultiple', fn () => $cache->getMultiple(['key', 'none']));
$tell('remember, fresh', fn () => $cache->remember('key', 10, fn () => 2));
$tell('remember, cold', fn () => $cache->remember('cold', 10, fn () => 2));
$tell('update', fn () => $cache->update('key', fn ($old) => $old + 1));
$tell('touch', fn () => $cache->touch('key', 20));
$tell('expire', fn () => $cache->expire('key'));
$tell('pull', fn () => $cache->pull('key'));
$tell('increment', fn () => $cache->increment('key'));
Clock::advance(11);
$tell('get, old', fn () => $cache->get('key'));
$tell('getMultiple, old', fn () => $cache->getMultiple(['key']));
$tell('remember, old', fn () => $cache->remember('key', 10, fn () => 2));
$tell('rememberMany, old', fn () => $cache->rememberMany(['key'], 10, fn ($names) => ['key' => 2]));
$tell('rememberMany, old among fresh', function () use ($cache) {
    $cache->set('fresh', 3);
    return $cache->rememberMany(['fresh', 'key'], 10, fn ($names) => throw new LogicException('computes what it cannot store'));
});
final class Undecodable
{
    public function __unserialize(array $data): void { throw new LogicException('shown to nobody'); }
}
$cache->set('undecodable', new Undecodable());
$tell('remember, undecodable', fn () => $cache->remember('undecodable', 10, fn () => 2));
$tell('rememberMany, undecodable', fn () => $cache->rememberMany(['undecodable'], 10, fn ($names) => ['undecodable' => 2]));
$tell('peek, old', fn () => $cache->peek('key'));
$tell('delete', fn () => $cache->delete('key'));

$lock = new Lock($pool, 'job', autoRelease: false);
$tell('acquire', fn () => $lock->acquire());
$tell('token', fn () => $lock->token());
$tell('release', fn () => $lock->release());
$counter = new Counter($pool, 'views');
$tell('count', fn () => $counter->increment(5));
$tell('drain', fn () => $counter->drain());
$tell('value', fn () => $counter->value());
var_dump($cache->stats()['errors'] > 0);
?>
--EXPECT--
set: true
get: 1
getMultiple: {"key":1,"none":null}
remember, fresh: 1
remember, cold: McPatterns\ServerException: Cannot change "cold" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
update: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
touch: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
expire: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
pull: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
increment: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
get, old: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
getMultiple, old: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
remember, old: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
rememberMany, old: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
rememberMany, old among fresh: McPatterns\ServerException: Cannot change "key" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
remember, undecodable: McPatterns\ServerException: Cannot change "undecodable" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
rememberMany, undecodable: McPatterns\ServerException: Cannot change "undecodable" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
peek, old: 1
delete: true
acquire: true
token: McPatterns\ServerException: Cannot get a fencing token for the lock "job" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
release: McPatterns\ServerException: Cannot release the lock "job" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
count: 5
drain: McPatterns\ServerException: Cannot drain the counter "views" on ADDRESS: memcached runs without CAS (option -C): cache rebuilds and locks need it
value: 5
bool(true)

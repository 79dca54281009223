--TEST--
Suspended Fibers store no outdated near value, nor damage each other's values (P2)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

final class Slow
{
    public function __construct(public string $text) {}

    public function __wakeup(): void
    {
        if (Fiber::getCurrent() !== null) {
            Fiber::suspend();
        }
    }
}

$server = start_memcached();
$pool = new Pool($server->address);
$cache = new Cache($pool, ttl: 100, near: 60);
$of = ['memo' => fn () => $cache, 'host' => fn () => new Cache($pool, ttl: 100, near: 60)];

echo "suspended while it computes\n";
$fiber = new Fiber(fn () => $cache->remember('k', 100, function () {
    Fiber::suspend();
    return 'computed before';
}));
$fiber->start();
$cache->set('k', 'set meanwhile');
var_dump($cache->get('k'), $cache->get('k'));
$fiber->resume();
echo 'answered: ', $fiber->getReturn(), "\n";
foreach ($of as $where => $make) {
    echo "$where: ", $make()->get('k'), "\n";
}

echo "suspended while it decodes\n";
foreach (['get' => 'get', 'remember' => 'remember', 'getMultiple' => 'getMultiple'] as $method) {
    $old = str_repeat('old ', 2000);
    $cache->set('o', new Slow($old));
    $cache->set('other', str_repeat('other ', 2000));
    $cache->get('other');
    $cache->peek('o');
    $reader = $of['host']();
    $fiber = new Fiber(fn () => match ($method) {
        'get' => $reader->get('o'),
        'remember' => $reader->remember('o', 100, fn () => null),
        'getMultiple' => $reader->getMultiple(['o'])['o'],
    });
    $fiber->start();
    $was_near = $reader->stats()['near_shared'];
    // Others come through the same scratch, and change the key.
    $others = [$of['host']()->get('other') === str_repeat('other ', 2000), $reader->get('other') === str_repeat('other ', 2000)];
    $cache->set('o', 'new');
    $fiber->resume();
    echo "$method: ", json_encode([$was_near, $others, $fiber->getReturn()->text === $old, $reader->get('o'), $of['host']()->get('o'), $reader->get('o')]), "\n";
}

echo "two at one key\n";
$readers = array_map(fn () => new Fiber(function () use ($cache) {
    $value = $cache->remember('two', 100, function () {
        Fiber::suspend();
        return 'once';
    }, wait: 0);
    Fiber::suspend();
    return [$value, $cache->get('two')];
}), [1, 2]);
array_walk($readers, fn (Fiber $one) => $one->start());
$cache->set('two', 'twice');
array_walk($readers, fn (Fiber $one) => $one->resume());
array_walk($readers, fn (Fiber $one) => $one->resume());
echo json_encode(array_map(fn (Fiber $one) => $one->getReturn()[1], $readers)), "\n";
?>
--EXPECT--
suspended while it computes
string(13) "set meanwhile"
string(13) "set meanwhile"
answered: computed before
memo: set meanwhile
host: set meanwhile
suspended while it decodes
get: [1,[true,true],true,"new","new","new"]
remember: [1,[true,true],true,"new","new","new"]
getMultiple: [1,[true,true],true,"new","new","new"]
two at one key
["twice","twice"]

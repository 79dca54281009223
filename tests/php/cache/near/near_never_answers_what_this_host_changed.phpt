--TEST--
No near read returns a value from before this host's change (P2)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Counter, MC, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$pool = new Pool($server->address);
$near = new Cache($pool, ttl: 100, near: 60);
$plain = fn () => new Cache(new Pool($server->address, persistent: false), ttl: 100);
$changes = [
    'set' => fn () => $plain()->set('k', 'new'),
    'setMultiple' => fn () => $plain()->setMultiple(['k' => 'new']),
    'replace' => fn () => $plain()->replace('k', 'new'),
    'update' => fn () => $plain()->update('k', fn () => 'new'),
    'touch' => fn () => $plain()->touch('k', 50),
    'expire' => fn () => $plain()->expire('k'),
    'expireMultiple' => fn () => $plain()->expireMultiple(['k']),
    'delete' => fn () => $plain()->delete('k'),
    'forget' => fn () => $plain()->forget('k'),
    'deleteMultiple' => fn () => $plain()->deleteMultiple(['k']),
    'pull' => fn () => $plain()->pull('k'),
    'increment' => fn () => $plain()->increment('k'),
    'remember, forced' => fn () => $plain()->remember('k', 100, fn () => 'new', force: true),
    'lookup, publish' => function () use ($plain) {
        $cache = $plain();
        $cache->expire('k');
        $cache->lookup('k');
        $cache->publish('k', 'new');
    },
    'a Counter of the name' => fn () => (new Counter(new Pool($server->address), 'k'))->set(5),
    'MC' => function () use ($pool) {
        MC::use(new Cache($pool));
        MC::set('k', 'new', 100);
    },
    'Pool::flush' => fn () => (new Pool($server->address, prefix: 'another.'))->flush(),
    'its own set' => fn () => $near->set('k', 'new'),
];
$ask = function (Cache $cache): int {
    $before = $cache->stats()['near'];
    $cache->peek('k');
    return $cache->stats()['near'] - $before;
};
foreach ($changes as $name => $change) {
    echo "$name:";
    foreach (['memo', 'host'] as $where) {
        $near->set('k', 5, 100);
        $near->get('k');
        $was = $ask($near);
        // Another process of this host makes the change, and its own set this one.
        $name === 'its own set' ? $change() : run_workers(1, $change);
        echo " $where $was, then ", $ask($where === 'memo' ? $near : new Cache($pool, ttl: 100, near: 60));
        (new Cache($pool))->delete('k');
    }
    echo "\n";
}
?>
--EXPECT--
set: memo 1, then 0 host 1, then 0
setMultiple: memo 1, then 0 host 1, then 0
replace: memo 1, then 0 host 1, then 0
update: memo 1, then 0 host 1, then 0
touch: memo 1, then 0 host 1, then 0
expire: memo 1, then 0 host 1, then 0
expireMultiple: memo 1, then 0 host 1, then 0
delete: memo 1, then 0 host 1, then 0
forget: memo 1, then 0 host 1, then 0
deleteMultiple: memo 1, then 0 host 1, then 0
pull: memo 1, then 0 host 1, then 0
increment: memo 1, then 0 host 1, then 0
remember, forced: memo 1, then 0 host 1, then 0
lookup, publish: memo 1, then 0 host 1, then 0
a Counter of the name: memo 1, then 0 host 1, then 0
MC: memo 1, then 0 host 1, then 0
Pool::flush: memo 1, then 0 host 1, then 0
its own set: memo 1, then 0 host 1, then 0

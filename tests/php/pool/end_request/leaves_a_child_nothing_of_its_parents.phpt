--TEST--
Pool::endRequest() in a forked child releases only the child's claims
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Lock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$pool = new Pool(start_memcached()->address, timeout: 10);
$cache = new Cache($pool, ttl: 100, lease: 300);
foreach (['parents', 'childs'] as $key) {
    $cache->set($key, 'old');
    $cache->expire($key);
}
$cache->get('parents');
$lock = new Lock($pool, 'parents', ttl: 60);
$lock->acquire();
if (pcntl_fork() === 0) {
    $cache->get('childs');
    $own = new Lock($pool, 'childs', ttl: 60);
    $own->acquire();
    Pool::endRequest();
    Pool::endRequest();
    exec('kill -9 ' . getmypid());
}
pcntl_wait($status);
foreach (['parents', 'childs'] as $name) {
    echo "$name: ", $cache->entry($name)->status->name, ', ', (new Lock($pool, $name, ttl: 60))->isLocked() ? 'locked' : 'free', "\n";
}
var_dump($cache->publish('parents', 'new'), $lock->isHeld(verify: true));
?>
--EXPECT--
parents: Busy, locked
childs: Stale, free
bool(true)
bool(true)

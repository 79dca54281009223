--TEST--
Failover moves only Cache keys, other classes report the unreachable server (F6)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Counter, Lock, OnlineCounter, Pool, ServerException};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$pool = new Pool([$server->address, 'memory://m'], failover: true);
/* One that lives on the server that will be gone. */
$name = fn (string $what) => array_values(array_filter(array_map(fn ($i) => "$what-$i", range(1, 50)), fn ($name) => $pool->serverFor($name) === $server->name))[0];
$cache = new Cache($pool, ttl: 60);
$key = $name('cache');
$counter = new Counter($pool, $name('counter'));
$counter->increment();
$cache->set($key, 1);
$server->kill();

var_dump($cache->get($key), $cache->set($key, 2), $cache->get($key), $cache->increment($key));
try {
    $counter->increment();
} catch (ServerException $gone) {
    echo get_class($gone), "\n";
}
$gone = 0;
for ($i = 0; $i < 30; $i++) {
    try {
        $lock = new Lock($pool, "lock $i");
        $lock->acquire();
    } catch (ServerException) {
        $gone++;
    }
}
echo $gone > 3 && $gone < 27 ? 'some' : "$gone", " locks are out of reach\n";
try {
    for ($i = 0; $i < 30; $i++) {
        (new OnlineCounter($pool, "site $i"))->hit('visitor');
    }
} catch (ServerException $gone) {
    echo get_class($gone), "\n";
}
?>
--EXPECT--
NULL
bool(true)
int(2)
int(3)
McPatterns\ServerException
some locks are out of reach
McPatterns\ServerException

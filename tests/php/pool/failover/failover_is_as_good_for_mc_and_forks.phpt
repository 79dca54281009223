--TEST--
Failover works for MC and forked processes
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$list = array_column($servers, 'address');
foreach (['shared' => true, 'of its own' => false] as $name => $persistent) {
    $pool = new Pool($list, "$name[0]:", timeout: 0.5, retryAfter: 100, failover: true, persistent: $persistent);
    $cache = new Cache($pool, ttl: 3600, grace: 3600);
    $keys = array_values(array_filter(array_map(fn ($i) => "key $i", range(1, 60)), fn ($key) => $pool->serverFor($key) === name_of($list[0])));
    $cache->setMultiple(array_fill_keys($keys, 'old'));
    MC::use($cache);
    [$set, $deleted, $never] = $keys;

    $servers[0]->freeze();
    echo "$name: ", json_encode([MC::get($never), MC::set($set, 'by MC', false, 100), MC::get($set), MC::delete($deleted), MC::get($deleted)]), "\n";
    $answers = $cache->rememberMany($keys, 100, function (array $missing) use ($cache, $set) {
        $children = run_workers(3, fn ($i) => [$cache->peek($set), $cache->set("child $i", $i), $cache->get("child $i")]);
        echo '  children: ', json_encode($children), "\n";
        return array_fill_keys($missing, 'computed');
    });
    echo '  many: ', json_encode(array_count_values($answers) == ['by MC' => 1, 'computed' => count($keys) - 1]), ', the children\'s: ', json_encode(array_map(fn ($i) => $cache->peek("child $i"), range(0, 2))), "\n";
    $servers[0]->thaw();
    Clock::advance(101);
    echo '  back: ', json_encode([$cache->entry($never)->status === Status::Stale, $cache->peek($set), $cache->peek($deleted)]), "\n";
}
?>
--EXPECT--
shared: [false,true,"by MC",true,false]
  children: [["by MC",true,0],["by MC",true,1],["by MC",true,2]]
  many: true, the children's: [0,1,2]
  back: [true,null,null]
of its own: [false,true,"by MC",true,false]
  children: [["by MC",true,0],["by MC",true,1],["by MC",true,2]]
  many: true, the children's: [0,1,2]
  back: [true,null,null]

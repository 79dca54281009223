--TEST--
Killing 1 of 3 servers loses no value that has 2 copies
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const SECONDS = 1.0;
$keys = array_map(fn ($i) => "stable $i", range(1, 30));
$work = function (array $addresses, int $index) use ($keys): array {
    $cache = new Cache(new Pool($addresses, timeout: 1, retryAfter: 0.05), ttl: 100, copies: 2);
    $wrong = ['misses' => 0, 'old' => 0, 'deleted' => 0];
    $acknowledged = 0;
    $end = microtime(true) + SECONDS;
    for ($n = 1; $n <= count($keys) || microtime(true) < $end; $n++) {
        $key = $keys[$n % count($keys)];
        $wrong['misses'] += $cache->get($key) !== $key;
        if ($cache->set("own $index", $n)) {
            $acknowledged = $n;
        }
        $wrong['old'] += ($cache->get("own $index") ?? 0) < $acknowledged;
        $wrong['deleted'] += $cache->get("deleted $index") !== null;
    }
    return $wrong;
};
foreach (range(0, 2) as $victim) {
    $servers = [start_memcached(), start_memcached(), start_memcached()];
    $addresses = array_column($servers, 'address');
    $cache = new Cache(new Pool($addresses, timeout: 5), ttl: 100, copies: 2);
    $stored = $cache->setMultiple(array_combine($keys, $keys));
    foreach (range(0, 15) as $index) {
        $stored = $stored && $cache->set("deleted $index", 'gone') && $cache->delete("deleted $index");
    }
    $workers = new Workers(16, fn (int $index) => $work($addresses, $index));
    $workers->release();
    usleep(300_000);
    $servers[$victim]->kill();
    $results = $workers->results();
    $sums = array_map(fn (string $what) => array_sum(array_column($results, $what)), ['misses', 'old', 'deleted']);
    echo "server $victim: ", json_encode($stored), ', misses, old, deleted: ', json_encode($sums), "\n";
    array_map(fn ($server) => $server->dispose(), $servers);
}
?>
--EXPECT--
server 0: true, misses, old, deleted: [0,0,0]
server 1: true, misses, old, deleted: [0,0,0]
server 2: true, misses, old, deleted: [0,0,0]

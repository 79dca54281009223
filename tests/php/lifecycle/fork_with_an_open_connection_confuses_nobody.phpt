--TEST--
Parent and child of a fork both get correct replies concurrently
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$servers = [$server->address, start_memcached()->address];
$cache = new Cache(new Pool($servers));
for ($i = 0; $i < 200; $i++) {
    $cache->set("k$i", "value $i");
}
$count = at_full_size() ? 100_000 : 3000;
/** Reads at random; every answer names the key it belongs to. */
$read = function (int $seed) use ($cache, $count) {
    mt_srand($seed);
    $wrong = 0;
    for ($i = 0; $i < $count; $i++) {
        $k = mt_rand(0, 199);
        $wrong += $cache->get("k$k") !== "value $k";
        if ($i % 50 === 0) {
            $keys = array_map(fn ($n) => "k$n", range($k % 100, $k % 100 + 20));
            foreach ($cache->getMultiple($keys) as $key => $value) {
                $wrong += $value !== 'value ' . substr($key, 1);
            }
            $wrong += !$cache->set("k$k", "value $k");
        }
    }
    return $wrong;
};
$workers = new Workers(4, $read, 60);
$workers->release();
$in_parent = $read(99);
echo 'parent: ', $in_parent, ', children: ', implode(' ', $workers->results()), "\n";
echo 'a grandchild: ', implode(run_workers(1, fn () => array_sum(run_workers(2, $read, 60)) + $read(5), 60)), "\n";
?>
--EXPECT--
parent: 0, children: 0 0 0 0
a grandchild: 0

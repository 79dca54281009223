--TEST--
A dead server affects only its own keys, which are misses (C13)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached(), start_memcached()];
$pool = new Pool(array_column($servers, 'address'), timeout: 1, retryAfter: 0.1);
$cache = new Cache($pool, ttl: 100);
$keys = array_map(fn ($i) => "k$i", range(1, 300));
$cache->setMultiple(array_combine($keys, $keys));
$dead = $servers[1]->address;
$lost = array_values(array_filter($keys, fn ($key) => $pool->serverFor($key) === name_of($dead)));
$kept = array_values(array_diff($keys, $lost));
$servers[1]->kill();

$values = $cache->getMultiple($keys, 'miss');
echo 'as expected: ', json_encode($values === array_merge(array_combine($keys, $keys), array_fill_keys($lost, 'miss'))), ', lost ', count($lost) > 50 ? 'some' : 'few', "\n";
echo 'in the order asked: ', json_encode(array_keys($values) === $keys), "\n";
echo 'setMultiple: ', json_encode([$cache->setMultiple([$kept[0] => 1, $lost[0] => 2, $kept[1] => 3]), $cache->get($kept[0]), $cache->get($kept[1])]), "\n";
echo 'deleteMultiple: ', json_encode([$cache->deleteMultiple([$kept[0], $lost[0], $kept[1]]), $cache->has($kept[0]), $cache->has($kept[1])]), "\n";
echo 'remember: ', $cache->remember($kept[0], 100, fn () => 'computed'), ' ', $cache->remember($lost[0], 100, fn () => 'computed too'), ' ', $cache->get($kept[0]), "\n";
$cache->set($kept[2], 1);
echo 'increment: ', json_encode([$cache->increment($kept[2]), $cache->increment($lost[2])]), "\n";

$servers[1]->start();
$deadline = microtime(true) + 10;
while (!$cache->set($lost[0], 'back') && microtime(true) < $deadline) {
    usleep(10_000);
}
$values = $cache->getMultiple([$lost[0], $lost[1], $kept[3]]);
echo 'back, and empty: ', json_encode(array_values($values) === ['back', null, $kept[3]]), "\n";
?>
--EXPECT--
as expected: true, lost some
in the order asked: true
setMultiple: [false,1,3]
deleteMultiple: [false,false,false]
remember: computed computed too computed
increment: [2,false]
back, and empty: true

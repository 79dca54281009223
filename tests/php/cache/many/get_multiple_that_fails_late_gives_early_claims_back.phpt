--TEST--
Cache::getMultiple() that throws in its second slice releases the claim that it took in the first (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, ServerException};

require __DIR__ . '/../../../_support/memcached.inc';

$servers = [start_memcached(), start_memcached(['arguments' => ['-C']])];
$pool = new Pool(array_map(fn ($server) => $server->address, $servers));
$cache = new Cache($pool, ttl: 10);
$names = ['with' => [], 'without' => []];
for ($i = 0; count($names['with']) < 4097 || $names['without'] === []; $i++) {
    $names[$pool->serverFor("key $i") === $servers[1]->name ? 'without' : 'with'][] = "key $i";
}
$keys = [...array_slice($names['with'], 0, 4097), $names['without'][0]];
$old = [$keys[0], $keys[4097]];
$cache->setMultiple(array_fill_keys($old, 'old'));
Clock::advance(11);
$held = $cache->lookup($old[0]);
var_dump($held->status->name, $cache->abandon($old[0]));
try {
    $cache->getMultiple($keys);
} catch (ServerException $exception) {
    echo get_class($exception), "\n";
}
echo (new Cache($pool, ttl: 10))->lookup($old[0])->status->name, "\n";
?>
--EXPECT--
string(7) "Elected"
bool(true)
McPatterns\ServerException
Elected

--TEST--
A guarded Cache deletes keys beyond its 16,384 read stamps (V5.5)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$cache = new Cache(new Pool('memory://a'), ttl: 100, guarded: true);
$names = array_map(fn ($i) => "k$i", range(0, 16_382));
$cache->getMultiple($names);
var_dump($cache->set('never looked at', 1), $cache->set('k0', 1));
$cache->getMultiple(['one more']);
echo json_encode([$cache->set('k0', 2), $cache->peek('k0'), $cache->set('k2', 2), $cache->set('one more', 2), $cache->setMultiple(['k3' => 3, 'k4' => 4, 'k5' => 5])]), "\n";
Pool::endRequest();
var_dump($cache->set('k0', 3), $cache->peek('k0'));

echo "more at once than there is room for\n";
$cache->getMultiple(array_map(fn ($i) => "many $i", range(1, 40_000)));
echo json_encode([$cache->set('many 1', 1), $cache->set('many 40000', 1), $cache->peek('many 40000')]), "\n";

$server = start_memcached();
$cache = new Cache(new Pool($server->address, timeout: 10), ttl: 100, guarded: true);
$cache->get('k');
$cache->delete('k');
$cache->get('k');
(new Cache(new Pool($server->address, timeout: 10, retryAfter: 2)))->set('k', 'theirs');
echo json_encode(run_workers(1, fn () => [$cache->set('k', 'the child\'s'), $cache->peek('k')])), "\n";
?>
--EXPECT--
bool(true)
bool(true)
[false,null,true,true,true]
bool(true)
int(3)
more at once than there is room for
[false,true,1]
[[false,null]]

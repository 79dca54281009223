--TEST--
8 processes with 500 update() calls each lose no change
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

$server = start_memcached();
$count = at_full_size() ? 2000 : 500;
$results = run_workers(8, function (int $index) use ($server, $count) {
    $cache = new Cache(new Pool($server->address, timeout: 5));
    for ($i = 0; $i < $count; $i++) {
        $cache->update('list', fn ($old) => [...$old ?? [], $index * $count + $i]);
    }
    return true;
}, 110);
$list = (new Cache(new Pool($server->address)))->get('list');
echo count($list) - 8 * $count, ' too many, ', count(array_unique($list)) - 8 * $count, " different\n";
?>
--EXPECT--
0 too many, 0 different

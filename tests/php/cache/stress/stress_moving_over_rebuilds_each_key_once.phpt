--TEST--
Concurrent migration rebuilds each php-memcached value once, serving it meanwhile (C19)
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
pcntl
--FILE--
<?php
use McPatterns\{Cache, Pool};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

define('KEYS', at_full_size() ? 1000 : 60);
$server = start_memcached();
$memcached = new Memcached;
$memcached->addServer($server->host, $server->port);
for ($i = 0; $i < KEYS; $i++) {
    $memcached->set("k$i", ['of' => 'php-memcached', 'number' => $i, 'text' => str_repeat('text ', 500)]);
}
$results = run_workers(16, function () use ($server) {
    // Who gets no answer computes for itself (C13): a busy machine must not look like a second election.
    $cache = new Cache(new Pool($server->address, connectTimeout: 10, timeout: 10), lease: 60, wait: 60, foreign: true);
    $rebuilt = $wrong = $old = 0;
    for ($i = 0; $i < KEYS; $i++) {
        $value = $cache->remember("k$i", 600, function () use ($i, &$rebuilt) {
            $rebuilt++;
            usleep(5000);
            return ['of' => 'mcpatterns', 'number' => $i];
        });
        $old += $value['of'] === 'php-memcached';
        $wrong += $value['number'] !== $i;
    }
    return [$rebuilt, $wrong, $old];
}, 120);
echo 'rebuilt: ', array_sum(array_column($results, 0)) === KEYS ? 'each once' : array_sum(array_column($results, 0)) . ' of ' . KEYS, "\n";
echo 'wrong: ', array_sum(array_column($results, 1)), "\n";
echo 'old values: ', array_sum(array_column($results, 2)) > 0 ? 'served' : 'none', "\n";
$cache = new Cache(new Pool($server->address));
$fresh = 0;
for ($i = 0; $i < KEYS; $i++) {
    $fresh += $cache->peek("k$i") === ['of' => 'mcpatterns', 'number' => $i];
}
echo 'fresh: ', $fresh === KEYS ? 'all' : $fresh, "\n";
?>
--EXPECT--
rebuilt: each once
wrong: 0
old values: served
fresh: all

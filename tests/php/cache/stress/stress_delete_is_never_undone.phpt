--TEST--
No concurrent rebuild restores any of 200 deleted keys (C3)
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
$keys = at_full_size() ? 5000 : 200;
foreach (['hot', 'cold'] as $kind) {
    $server->raw('flush_all');
    $seed = new Cache(new Pool($server->address, timeout: 5), ttl: 100);
    for ($i = 0; $i < $keys && $kind === 'hot'; $i++) {
        $seed->set("k$i", 'old');
        $seed->expire("k$i");
    }
    // Half of the processes rebuild; in the middle of each rebuild another process deletes.
    $pairs = [];
    for ($i = 0; $i < 4; $i++) {
        $pairs[] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    }
    $results = run_workers(8, function (int $index) use ($server, $keys, $pairs) {
        $cache = new Cache(new Pool($server->address, timeout: 5), ttl: 100);
        [$builder, $deleter] = $pairs[$index >> 1];
        $count = 0;
        if ($index % 2 === 1) {
            while (($key = rtrim((string) fgets($deleter))) !== 'end') {
                $count += $cache->delete($key);
                fwrite($deleter, "deleted\n");
            }
            return $count;
        }
        for ($i = $index >> 1; $i < $keys; $i += 4) {
            $cache->remember("k$i", 100, function () use ($builder, $i) {
                fwrite($builder, "k$i\n");
                return fgets($builder);
            });
        }
        fwrite($builder, "end\n");
        return $cache->stats()['discarded'];
    }, 60);
    $resurrected = count(array_filter($seed->getMultiple(array_map(fn ($i) => "k$i", range(0, $keys - 1))), fn ($value) => $value !== null));
    echo "$kind: $resurrected resurrected, ", array_sum($results) === 2 * $keys ? 'all' : array_sum($results) / 2, " deleted and discarded\n";
}
?>
--EXPECT--
hot: 0 resurrected, all deleted and discarded
cold: 0 resurrected, all deleted and discarded

--TEST--
Cache writes 2,000 keys to the servers where php-memcached reads them
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached');
?>
--FILE--
<?php
use McPatterns\{Cache, Distribution, Pool};

require __DIR__ . '/../../_support/memcached.inc';

$servers = [];
for ($i = 0; $i < 5; $i++) {
    $servers[] = start_memcached(['tcp' => true]);
}
$by_port = array_combine(array_column($servers, 'port'), $servers);
foreach ([[1, 1, 1, 1, 1], [1, 2, 1, 3, 1]] as $weights) {
    foreach (Distribution::cases() as $distribution) {
        $memcached = new Memcached;
        $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'site:');
        if ($distribution === Distribution::Ketama) {
            $memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
        } elseif ($distribution === Distribution::Modulo) {
            $memcached->setOption(Memcached::OPT_HASH, Memcached::HASH_CRC);
            $memcached->setOption(Memcached::OPT_DISTRIBUTION, Memcached::DISTRIBUTION_MODULA);
        }
        $is_weighted = array_sum($weights) > 5;
        if ($is_weighted && $distribution === Distribution::Modulo) {
            continue;
        }
        $memcached->addServers(array_map(fn ($server, $weight) => [$server->host, $server->port, $weight], $servers, $weights));
        $pool = new Pool(array_map(fn ($server, $weight) => $is_weighted ? "$server->address:$weight" : $server->address, $servers, $weights), 'site:', $distribution);
        $pool->flush();
        $cache = new Cache($pool);
        $misplaced = 0;
        $found = array_fill_keys(array_keys($by_port), []);
        for ($i = 0; $i < 2000; $i++) {
            $key = "user:$i:" . md5((string) $i);
            $cache->set($key, $i);
            $found[$memcached->getServerByKey($key)['port']][] = "site:$key";
        }
        // Many at once from the server that php-memcached names.
        foreach ($found as $port => $keys) {
            foreach (array_chunk($keys, 50) as $chunk) {
                $misplaced += count($chunk) - substr_count($by_port[$port]->raw('get ' . implode(' ', $chunk)), 'VALUE site:user:');
            }
        }
        $cache->increment("user:7:" . md5('7'));
        $side = $by_port[$memcached->getServerByKey("user:7:" . md5('7'))['port']]->raw('get site:user:7:' . md5('7') . '_increment');
        echo $distribution->name, $is_weighted ? ' weighted' : '', ": $misplaced misplaced, ", count(array_filter($found)), ' servers used, side key ',
            str_contains($side, "\r\n8\r\n") ? 'beside it' : 'elsewhere', "\n";
    }
}
?>
--EXPECT--
Modulo: 0 misplaced, 5 servers used, side key beside it
Ketama: 0 misplaced, 5 servers used, side key beside it
OneAtATime: 0 misplaced, 5 servers used, side key beside it
Ketama weighted: 0 misplaced, 5 servers used, side key beside it
OneAtATime weighted: 0 misplaced, 5 servers used, side key beside it

--TEST--
Pool::serverFor() places 2,000 keys exactly as php-memcached does
--EXTENSIONS--
mcpatterns
igbinary
msgpack
memcached
--FILE--
<?php
use McPatterns\{Distribution, Pool};

function php_memcached(array $servers, Distribution $distribution): Memcached
{
    $memcached = new Memcached;
    $memcached->setOption(Memcached::OPT_PREFIX_KEY, 'site:');
    if ($distribution === Distribution::Ketama) {
        $memcached->setOption(Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
    } elseif ($distribution === Distribution::Modulo) {
        $memcached->setOption(Memcached::OPT_HASH, Memcached::HASH_CRC);
        $memcached->setOption(Memcached::OPT_DISTRIBUTION, Memcached::DISTRIBUTION_MODULA);
    }
    $memcached->addServers($servers);
    return $memcached;
}

// [host and port for php-memcached, the Pool's way to write it]
$forms = [
    'addresses' => fn (int $i) => ["10.0.0.$i", 11211, "10.0.0.$i"],
    'names and ports' => fn (int $i) => ["cache-$i.example", 11211 + $i % 7, "tcp://cache-$i.example:" . 11211 + $i % 7],
    'unix sockets' => fn (int $i) => ["/run/memcached/$i.sock", 0, "unix:///run/memcached/$i.sock"],
    'IPv6' => fn (int $i) => ["fd00::$i", 11211, "[fd00::$i]:11211"],
];
$keys = array_map(fn (int $i) => $i % 3 === 0 ? md5((string) $i) : "user:$i:ä", range(1, 2000));
foreach (Distribution::cases() as $distribution) {
    foreach ([false, true] as $is_weighted) {
        $misplaced = $asked = 0;
        $used = [];
        foreach ($forms as $form) {
            foreach ([1, 2, 3, 10, 100] as $count) {
                $servers = $places = $pool = [];
                for ($i = 1; $i <= $count; $i++) {
                    [$host, $port, $written] = $form($i);
                    $weight = $is_weighted ? 1 + $i % 4 : 1;
                    $servers[] = [$host, $port, $weight];
                    $places["$host $port"] = $i - 1;
                    $pool[] = $is_weighted ? (preg_match('/:\d+$/', $written) || $port === 0 ? $written : "$written:$port") . ":$weight" : $written;
                }
                $memcached = php_memcached($servers, $distribution);
                $pool = new Pool($pool, 'site:', $distribution);
                $addresses = array_map(
                    fn (array $server) => $server['port'] === 0 ? $server['host'] : (str_contains($server['host'], ':') ? "[$server[host]]" : $server['host']) . ":$server[port]",
                    $pool->servers(),
                );
                $seen = [];
                foreach ($keys as $key) {
                    $theirs = $memcached->getServerByKey($key);
                    $place = $places["$theirs[host] $theirs[port]"];
                    $misplaced += $pool->serverFor($key) !== $addresses[$place];
                    $seen[$place] = true;
                    $asked++;
                }
                $used[$count] = min($used[$count] ?? $count, count($seen));
            }
        }
        echo $distribution->name, $is_weighted ? ' with weights' : '', ": $misplaced of $asked misplaced, servers used: ", implode(' ', $used), "\n";
    }
}
?>
--EXPECT--
Modulo: 0 of 40000 misplaced, servers used: 1 2 3 10 100
Modulo with weights: 0 of 40000 misplaced, servers used: 1 2 3 10 100
Ketama: 0 of 40000 misplaced, servers used: 1 2 3 10 100
Ketama with weights: 0 of 40000 misplaced, servers used: 1 2 3 10 100
OneAtATime: 0 of 40000 misplaced, servers used: 1 2 3 10 100
OneAtATime with weights: 0 of 40000 misplaced, servers used: 1 2 3 10 100

--TEST--
Each transport has its own connection, and an invalid one throws ValueError
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Pool, Transport};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
ini_set('mcpatterns.servers', $server->address);

function connections(): int
{
    global $server;
    for ($least = PHP_INT_MAX, $try = 0; $try < 5; $try++, usleep(5000)) {
        $least = min($least, (int) $server->stats()['curr_connections']);
    }
    return $least;
}

function transport(Pool $pool): string
{
    ob_start();
    var_dump($pool);
    return preg_match('/"transport"\]=>\s+string\(\d+\) "(\w+)"/', ob_get_clean(), $found) ? $found[1] : 'unknown';
}

$none = connections();
foreach (['libmemcached', 'Direct', 'direct', 'LIBMEMCACHED'] as $setting) {
    ini_set('mcpatterns.transport', $setting);
    $pool = Pool::default();
    $pool->ping();
    echo $setting, ': ', transport($pool), ', ', connections() - $none, "\n";
}
foreach (Transport::cases() as $case) {
    $pool = new Pool($server->address, transport: $case);
    $pool->ping();
    echo $case->name, ': ', transport($pool), ', ', connections() - $none, "\n";
}
ini_set('mcpatterns.transport', 'udp');
try {
    Pool::default();
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
libmemcached: libmemcached, 1
Direct: direct, 2
direct: direct, 2
LIBMEMCACHED: libmemcached, 2
Libmemcached: libmemcached, 2
Direct: direct, 2
The INI setting mcpatterns.transport must be "libmemcached" or "direct", "udp" given

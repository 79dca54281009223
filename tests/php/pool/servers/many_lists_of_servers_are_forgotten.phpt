--TEST--
A process keeps 64 unused lists of servers in little memory
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!is_readable('/proc/self/statm')) {
    die('skip reads /proc/self/statm');
}
if (str_contains((string) getenv('LD_PRELOAD'), 'libasan')) {
    die('skip AddressSanitizer keeps for a while what was freed');
}
?>
--FILE--
<?php
use McPatterns\{Counter, Pool};

require __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';

function resident_mib(): float
{
    return (int) explode(' ', file_get_contents('/proc/self/statm'))[1] * 4096 / 2 ** 20;
}

/** @return list<string> */
function rotate(array $servers, int $by): array
{
    return [...array_slice($servers, $by), ...array_slice($servers, 0, $by)];
}

function name_servers(int $first): array
{
    return array_map(fn ($i) => "10.0.0.1:$i", range($first, $first + 49));
}

$mine = start_memcached();
$kept = new Pool($mine->address, timeout: 20);
$counter = new Counter($kept, 'calls');
$counter->increment();
$connections = $mine->stats()['total_connections'];

// Valgrind keeps for a while what was freed.
$few = patience() > 1 ? 60 : 30;
// Half a gigabyte, if each took as much as the first does.
$begin = resident_mib();
for ($i = 0; $i < 1500; $i++) {
    new Pool(name_servers(1000), timeout: 1 + $i / 1000);
}
printf("timeouts: %s\n", resident_mib() - $begin < $few ? 'few' : resident_mib() - $begin);

for ($i = 0; $i < 80; $i++) {
    new Pool(name_servers(2000 + $i));
}
$begin = resident_mib();
for ($i = 0; $i < 200; $i++) {
    new Pool(name_servers(3000 + $i));
}
printf("lists: %s\n", resident_mib() - $begin < 20 ? 'few' : resident_mib() - $begin);
$begin = resident_mib();
for ($i = 0; $i < 200; $i++) {
    new Pool(rotate(name_servers(1000 + intdiv($i, 50)), $i % 50));
}
printf("orders: %s\n", resident_mib() - $begin < 20 ? 'few' : resident_mib() - $begin);

// What a Pool or an object has stays, and what it is connected to.
unset($kept);
var_dump($counter->increment());
var_dump($mine->stats()['total_connections'] - $connections);
?>
--EXPECT--
timeouts: few
lists: few
orders: few
int(2)
int(1)

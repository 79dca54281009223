--TEST--
Pool::diagnose() finds what memcached was started with that is wrong: -I, -C, -M, -F, too little memory, too few connections, and what differs
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/doctor.inc';

function tell(string $what, PrivateMemcached ...$servers): void
{
    tell_by(null, $what, ...$servers);
}

function tell_by(?Transport $transport, string $what, PrivateMemcached ...$servers): void
{
    $pool = new Pool(array_map(fn ($server) => $server->address, $servers), timeout: 4, connectTimeout: 4, transport: $transport);
    $names = [];
    foreach ($servers as $i => $server) {
        $names[$server->name] = 'SERVER' . ($i === 0 ? '' : $i + 1);
    }
    echo "$what:\n";
    tell_findings(Pool::diagnose($pool), ['never_evicts', 'no_flush', 'small_memory', 'no_meta'], $names);
}

$good = start_memcached(['memory' => 128]);
tell('small items', start_memcached(['memory' => 128, 'arguments' => ['-I', '512k']]));
tell('large items', start_memcached(['memory' => 256, 'arguments' => ['-I', '128m']]));
tell('no cas', $without = start_memcached(['memory' => 128, 'arguments' => ['-C']]));
tell_by(Transport::Direct, 'no cas, and meta commands that are not used without', $without);
tell('never evicts', start_memcached(['memory' => 128, 'arguments' => ['-M']]));
tell('no flush', start_memcached(['memory' => 128, 'arguments' => ['-F']]));
tell('different', $good, start_memcached(['memory' => 128, 'arguments' => ['-I', '2m']]));

$full = start_memcached(['memory' => 2]);
$cache = new Cache(new Pool($full->address, compression: McPatterns\Compression::None));
for ($i = 0; $i < 200; $i++) {
    $cache->set("key$i", random_bytes(50000));
}
ob_start();
tell('evictions', $full);
echo preg_replace(['/evicted \d+ items in [^,]+, \d+/', '/of \d.*iB/'], ['evicted N items in TIME, N', 'of N'], ob_get_clean());

/* Opens connections until one is refused, as workers above -c are. */
$few = start_memcached(['memory' => 128, 'arguments' => ['-c', '30']]);
$connections = [];
do {
    $connections[] = $socket = stream_socket_client("unix://$few->host");
    @fwrite($socket, "version\r\n");
} while (str_starts_with((string) @fgets($socket), 'VERSION') && count($connections) < 100);
array_splice($connections, 0, 10);
while (!str_starts_with($few->raw('version'), 'VERSION')) {
    usleep(1000);
}
ob_start();
tell('few connections', $few);
echo preg_replace('/rejected \d+/', 'rejected N', ob_get_clean());
?>
--EXPECTF--
small items:
warning small_items SERVER: it takes no value of more than 512 KiB (-I)
large items:
warning large_items SERVER: it takes values of up to 128 MiB (-I), and mcpatterns.item_size_limit is 64 MiB
no cas:
error no_cas SERVER: it gives no cas ids (-C)
no cas, and meta commands that are not used without:
error no_cas SERVER: it gives no cas ids (-C)
never evicts:
notice never_evicts SERVER: it evicts nothing (-M), and refuses what is written when it is full
no flush:
notice no_flush SERVER: it refuses to be emptied
different:
warning different_item_sizes SERVER2: it takes values of up to 2 MiB, and SERVER of up to 1 MiB
evictions:
warning evictions SERVER: it has evicted N items in TIME, N of them never read: its memory of N is full
notice small_memory SERVER: it has no more than %s of memory (-m)
few connections:
warning rejected_connections SERVER: it has rejected N connections

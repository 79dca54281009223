--TEST--
Pool::diagnose() reports unsuitable memcached options and differences between servers
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
$cache = new Cache(new Pool($full->address, timeout: 4, compression: McPatterns\Compression::None));
for ($i = 0; $i < 200; $i++) {
    $cache->set("key$i", random_bytes(50000));
}
ob_start();
tell('evictions', $full);
echo preg_replace(['/\d+ items evicted in [^,]+, \d+/', '/of \d.*iB/'], ['N items evicted in TIME, N', 'of N'], ob_get_clean());

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
echo preg_replace('/\d+ connections rejected/', 'N connections rejected', ob_get_clean());
?>
--EXPECTF--
small items:
warning small_items SERVER: largest item is 512 KiB (-I)
large items:
warning large_items SERVER: largest item is 128 MiB (-I), mcpatterns.item_size_limit is 64 MiB
no cas:
error no_cas SERVER: no CAS values (-C)
no cas, and meta commands that are not used without:
error no_cas SERVER: no CAS values (-C)
never evicts:
notice never_evicts SERVER: evicts nothing (-M) and rejects writes when full
no flush:
notice no_flush SERVER: rejects flush_all (-F)
different:
warning different_item_sizes SERVER2: largest item is 2 MiB, but SERVER allows 1 MiB
evictions:
warning evictions SERVER: N items evicted in TIME, N of them never read: memory of N is full
notice small_memory SERVER: memory is limited to %s (-m)
few connections:
warning rejected_connections SERVER: N connections rejected

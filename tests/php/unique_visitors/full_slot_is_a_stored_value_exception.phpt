--TEST--
A hit on an unrelated full slot throws StoredValueException
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, StoredValueException, UniqueVisitors, UnstorableException};

require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
$store = fn (string $command, int $length): string
    => trim($server->exchange("$command unique:page:30000000 0 0 $length\r\n" . str_repeat('x', $length) . "\r\n"));
echo $store('set', 1_000_000), "\n";
foreach ([10_000, 100, 1] as $length) {
    while ($store('append', $length) === 'STORED') {
    }
}

Clock::freeze(1_800_000_000.0);
$unique = new UniqueVisitors(new Pool($server->address), 'page', 60, 1);
try {
    $unique->hit('anna');
    echo "counted\n";
} catch (StoredValueException $error) {
    echo $error->getMessage(), "\n";
    var_dump($error instanceof UnstorableException);
}
?>
--EXPECT--
STORED
The unique visitors "page" has no space for the hit: the item of its slot is full, or the server is out of memory
bool(false)

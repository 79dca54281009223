--TEST--
Concurrent Table::update() calls lose no change, and exceptions store nothing
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Table};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$server = start_memcached();
$rounds = at_full_size() ? 2000 : 100;
run_workers(4, function () use ($server, $rounds) {
    $table = new Table(new Pool($server->address, timeout: 10), 'jobs');
    for ($i = 0; $i < $rounds; $i++) {
        $table->update('job ' . $i % 3, fn (?array $row) => ['done' => ($row['done'] ?? 0) + 1]);
    }
}, 60);
$table = new Table(new Pool($server->address), 'jobs');
echo array_sum(array_column($table->rows(), 'done')) - 4 * $rounds, "\n";
try {
    $table->update('job 0', fn () => throw new DomainException('no'));
} catch (DomainException $exception) {
    echo $exception->getMessage(), ' ', count($table->rows()), "\n";
}
$table->put('n', 1);
$calls = 0;
echo $table->update('n', function (int $old) use ($table, &$calls): int {
    if ($calls++ === 0) {
        $table->put('n', 10); // and so this one was too slow
    }
    return $old + 1;
}), " after $calls calls\n";
?>
--EXPECT--
0
no 3
11 after 2 calls

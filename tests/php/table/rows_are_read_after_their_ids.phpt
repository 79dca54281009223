--TEST--
Table::rows() reads rows as they are after their ids were read (B5)
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
if (PHP_OS_FAMILY !== 'Linux') {
    die('skip needs /proc');
}
?>
--FILE--
<?php
use McPatterns\{Pool, Table};

require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

$servers = [start_memcached(), start_memcached()];
$table = new Table(new Pool(array_column($servers, 'address'), timeout: 20), 'jobs');
foreach (range(1, 20) as $i) {
    $table->put("job$i", 'before');
}
$read = fn (int $server, string $key): string => $servers[$server]->raw("get row:jobs:$key");
$index = (int) str_starts_with($read(1, ':0'), 'VALUE');
// Rows on the server without the ids only: those can be read while the ids cannot.
foreach ($table->ids() as $id) {
    str_starts_with($read($index, $id), 'VALUE') && $table->delete($id);
}
[$changed, $deleted] = $table->ids();
$table->put($changed, 'after');
preg_match('/^VALUE \S+ (\d+) (\d+)\r\n(.*)\r\nEND\r\n$/s', $read(1 - $index, $changed), $after);
$table->put($changed, 'before');
$count = count($table->rows());

// The ids are delayed while another process changes 2 rows.
$servers[$index]->freeze();
$reader = getmypid();
if (pcntl_fork() === 0) {
    for ($asleep = 0; $asleep < 100; usleep(500)) { // waits for the ids, and for nothing shorter
        $asleep = get_process_state($reader) === 'S' ? $asleep + 1 : 0;
    }
    $servers[1 - $index]->exchange("set row:jobs:$changed $after[1] 0 $after[2]\r\n$after[3]\r\n");
    $servers[1 - $index]->raw("delete row:jobs:$deleted");
    $servers[$index]->thaw();
    leave_without_shutdown();
}
$rows = $table->rows();
pcntl_wait($status);
echo $count - count($rows), ' less, ', $rows[$changed], ', ', isset($rows[$deleted]) ? 'both are there' : 'one is missing', "\n";
?>
--EXPECT--
1 less, after, one is missing

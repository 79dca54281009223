--TEST--
A contended lock passes between 16 processes, never to 2, despite kills
--EXTENSIONS--
mcpatterns
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/bells.inc';
skip_without_bells();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../../../_support/bells.inc';
require __DIR__ . '/../../../_support/memcached.inc';
require __DIR__ . '/../../../_support/workers.inc';

const WAITERS = 16;
const KILLED = [3, 7, 11];
$server = start_memcached();
$held = new Lock(new Pool($server->address), 'job', ttl: 60);
$held->acquire();
$alone = tmpfile();
$path = stream_get_meta_data($alone)['uri'];
$workers = new Workers(WAITERS, function (int $index) use ($server, $path) {
    $lock = new Lock(new Pool($server->address), 'job', ttl: 3);
    return $lock->run(function () use ($path) {
        $file = fopen($path, 'r');
        $is_alone = flock($file, LOCK_EX | LOCK_NB);
        usleep(2000);
        return $is_alone ? 'alone' : 'beside another';
    }, wait: 40.0);
}, 90);
$workers->release();
wait_for_sleepers($workers->pids, WAITERS);
foreach (KILLED as $index) {
    $workers->kill($index);
}
echo 'while it was held: ', array_sum(array_column(used_bells(), 'sequence')), " rings\n";
$held->release();
foreach (array_count_values(array_filter($workers->results())) as $answer => $count) {
    echo "$count: $answer\n";
}
echo count(used_bells()), " bell\n";
?>
--EXPECT--
while it was held: 0 rings
13: alone
1 bell

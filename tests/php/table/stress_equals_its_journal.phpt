--TEST--
A Table equals its writers' journals after concurrent puts and deletes (B1, B2, B4)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Pool, Table};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/never.inc';
require __DIR__ . '/../../_support/workers.inc';

[$writers, $changes, $own] = at_full_size() ? [8, 5000, 30] : [6, 300, 10];
$server = start_memcached();
$open = fn () => new Table(new Pool($server->address, timeout: 10), 'jobs');

// Rows that stay: each is noted when its put has returned.
$stays = $server->path('stays');
touch($stays);
$began = hrtime(true);
$writing = new Workers($writers, function (int $writer) use ($open, $changes, $own, $stays): array {
    $table = $open();
    $rows = [];
    for ($i = 0; $i < $changes; $i++) {
        $id = "writer $writer, row " . mt_rand(0, $own - 1);
        if ($i % 50 === 49) {
            $id = "writer $writer stays $i";
            $table->put($id, $rows[$id] = $i);
            file_put_contents($stays, "$id\n", FILE_APPEND | LOCK_EX);
        } elseif (mt_rand(0, 1)) {
            $table->put($id, $rows[$id] = $i);
        } else {
            $table->delete($id);
            unset($rows[$id]);
        }
    }
    return $rows;
}, 240);
$done = $server->path('done');
$reading = new Workers(2, function () use ($open, $stays, $done): array {
    $table = $open();
    $wrong = $reads = 0;
    do {
        clearstatcache();
        $must = array_flip(file($stays, FILE_IGNORE_NEW_LINES));
        $wrong += count(array_diff_key($must, $table->rows()));
        $reads++;
    } while (!file_exists($done));
    return [$reads, $wrong];
}, 240);
$reading->release();
$writing->release();
$expected = array_merge(...$writing->results());
touch($done);
$seconds = (hrtime(true) - $began) / 1e9;
$read = $reading->results();
$wrong = array_sum(array_column($read, 1));
$found = $open()->rows();
ksort($expected);
ksort($found);
$told = "missed by readers: $wrong, missing: " . count(array_diff_key($expected, $found)) . ', too many: ' . count(array_diff_key($found, $expected));
$wrong > 0 || $expected !== $found ? never($told) : print("$told\n");
report_figures(sprintf('%d changes of %d processes in %.1f s, %d reads beside them', $writers * $changes, $writers, $seconds, array_sum(array_column($read, 0))));
?>
--EXPECT--
missed by readers: 0, missing: 0, too many: 0

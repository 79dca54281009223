--TEST--
Concurrent increments beyond PHP_INT_MAX leave only the accepted amount (K3)
--EXTENSIONS--
mcpatterns
pcntl
--FILE--
<?php
use McPatterns\{Counter, Pool, StoredValueException};

require_once __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/workers.inc';

[$processes, $counters] = at_full_size() ? [8, 1000] : [4, 150];
$server = start_memcached();
$pool = new Pool($server->address, timeout: 10);
// Two of PHP_INT_MAX wrap; a few of a small number next to it do not.
foreach (['far' => [100, PHP_INT_MAX], 'near' => [PHP_INT_MAX - 10, 4]] as $name => [$start, $by]) {
    for ($i = 0; $i < $counters; $i++) {
        (new Counter($pool, "$name$i"))->set($start);
    }
    $begin = hrtime(true) + 200_000_000;
    $accepted = run_workers($processes, function () use ($server, $counters, $name, $by, $begin) {
        $pool = new Pool($server->address, timeout: 10);
        $pool->ping();
        $accepted = array_fill(0, $counters, 0);
        for ($i = 0; $i < $counters; $i++) {
            // All of them at the same moment.
            while (hrtime(true) < $begin + $i * 2_000_000) {
            }
            try {
                (new Counter($pool, "$name$i"))->increment($by);
                $accepted[$i]++;
            } catch (StoredValueException) {
            }
        }
        return $accepted;
    }, 120);
    $wrong = $count = 0;
    for ($i = 0; $i < $counters; $i++) {
        $sum = array_sum(array_column($accepted, $i));
        $count += $sum;
        $wrong += trim(explode("\r\n", $server->raw("get $name$i"))[1]) !== (string) ($start + $sum * $by);
    }
    echo "$name: $wrong wrong, ", $count > 0 ? 'some' : 'none', " accepted\n";
}
?>
--EXPECT--
far: 0 wrong, none accepted
near: 0 wrong, some accepted

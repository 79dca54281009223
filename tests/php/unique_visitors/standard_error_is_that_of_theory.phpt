--TEST--
UniqueVisitors has the theoretical relative standard error on real servers
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Clock, Pool, UniqueVisitors};

require __DIR__ . '/../../_support/full_size.inc';
require __DIR__ . '/../../_support/memcached.inc';

[$names, $visitors] = at_full_size() ? [100, 10_000] : [30, 400];
$pool = new Pool(start_memcached()->address, timeout: 10);
Clock::freeze(1_800_000_000.0);
foreach ([12, 14] as $precision) {
    $sum = 0.0;
    for ($name = 0; $name < $names; $name++) {
        $unique = new UniqueVisitors($pool, "page $name of $precision", 3600, 4, $precision);
        for ($visitor = 0; $visitor < $visitors; $visitor++) {
            $unique->hit("$name: $visitor");
        }
        $sum += ($unique->count() / $visitors - 1) ** 2;
    }
    $error = sqrt($sum / $names);
    $theory = 1.04 / sqrt(2 ** $precision);
    echo $error <= 1.1 * $theory ? "precision $precision: within theory" : "precision $precision: $error, theory $theory", "\n";
    report_figures(sprintf('precision %d: %.2f %% over %d names of %d visitors, theory %.2f %%', $precision, 100 * $error, $names, $visitors, 100 * $theory));
}
?>
--EXPECT--
precision 12: within theory
precision 14: within theory

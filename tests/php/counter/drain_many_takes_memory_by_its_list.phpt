--TEST--
Counter::drainMany() of 3 names uses less than 16 KB of memory
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Counter, Pool};

$pool = new Pool('memory://drain-memory');
$names = ['a', 'b', 'c'];
$ways = ['array' => fn () => $names, 'iterator' => fn () => new ArrayIterator($names)];
foreach ($ways as $way => $make) {
    foreach ($names as $name) {
        (new Counter($pool, $name))->set(7);
    }
    $given = $make();
    memory_reset_peak_usage();
    $before = memory_get_usage();
    $drained = Counter::drainMany($pool, $given, function (array $amounts) { echo array_sum($amounts), "\n"; });
    $most = memory_get_peak_usage() - $before;
    echo "$way: $drained drained, ", $most < 16384 ? 'little memory' : "$most bytes", "\n";
}
?>
--EXPECT--
21
array: 3 drained, little memory
21
iterator: 3 drained, little memory

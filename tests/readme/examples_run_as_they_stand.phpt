--TEST--
Every PHP example of the README and of the tour runs as it stands and prints what it says
--EXTENSIONS--
mcpatterns
--FILE--
<?php
require __DIR__ . '/../_support/examples.inc';

$memcached = start_memcached();
foreach ([...examples_of(__DIR__ . '/../../README.md'), ...examples_of(__DIR__ . '/../../docs/start/tour.md')] as $example) {
	$lines = count(array_filter(explode("\n", $example), fn ($line) => trim($line) !== ''));
	printf("--- %d lines\n%s\n", $lines, run_example($example, $memcached));
}
?>
--EXPECT--
--- 4 lines

--- 7 lines

--- 8 lines
report written
report written
--- 7 lines
saved 1
999 left
--- 4 lines
1 people are here
--- 4 lines
welcome, 4 left
--- 5 lines

--- 5 lines
article-42
--- 5 lines
import-17: 0.5
--- 3 lines
2 more may work
--- 4 lines
1 read it in the last 24 hours
--- 9 lines
NULL

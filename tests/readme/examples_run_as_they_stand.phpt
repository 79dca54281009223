--TEST--
Each PHP example of README and tour runs and prints its output
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

--- 6 lines

--- 6 lines
report written
--- 3 lines
2 more may work
--- 6 lines
saved 1
999 left
--- 4 lines
welcome, 4 left
--- 4 lines
1 people are here
--- 4 lines
1 read it in the last 24 hours
--- 5 lines

--- 5 lines
article-42
--- 5 lines
import-17: 0.5
--- 4 lines
Ada, on one of 1 servers
--- 5 lines
NULL
--- 5 lines
page:
--- 4 lines
string(5) "hello"

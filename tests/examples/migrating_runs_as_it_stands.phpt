--TEST--
Every example on how to move over runs as it stands and prints what it says
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/examples.inc';

$memcached = start_memcached();
foreach (examples_of(__DIR__ . '/../../docs/start/migrating.md') as $example) {
	echo "---\n", run_example($example, $memcached), "\n";
}
?>
--EXPECT--
---
headline headline
---
headline
bool(false)
---
headline
its TTL is its length
---
report written
---
headline
report written
1
---
headline

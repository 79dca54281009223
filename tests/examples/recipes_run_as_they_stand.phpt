--TEST--
Each recipe runs and prints its documented output
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
foreach (examples_of(__DIR__ . '/../../docs/start/recipes.md') as $example) {
	echo "---\n", run_example($example, $memcached), "\n";
}
?>
--EXPECT--
---
1: checks the password
2: checks the password
3: checks the password
4: checks the password
5: checks the password
6: must wait
---
200 RateLimit-Remaining
200 RateLimit-Remaining
429 Retry-After
---
2 articles, the new one among them
---
1 articles, 1 articles
2 articles
---
done 17
done 12
---
2 of 17
1 of 42
---
sent
---
<h1>headline</h1>
<h1>headline</h1>
<h1>headline</h1>
---
17 Tea
42 Cup
99 does not exist
---
saved 2
2 views
---
{"views:7":1}
{"views:2300":2}
2 articles
---
2 people are looking at this

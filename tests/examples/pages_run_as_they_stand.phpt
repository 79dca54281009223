--TEST--
Each PHP example of the class pages runs and prints its output
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
foreach (['cache', 'lock', 'counter', 'online-counter', 'rate-limiter', 'event-log', 'member-set', 'table', 'semaphore', 'unique-visitors', 'audit', '../start/choosing', 'tags', 'near', 'copies', 'values', 'keys', 'clock'] as $page) {
    foreach (examples_of(__DIR__ . "/../../docs/classes/$page.md") as $example) {
        echo '--- ', basename($page), "\n", run_example($example, $memcached), "\n";
    }
}
?>
--EXPECTF--
--- cache
computed by one
--- cache

--- cache

--- cache
slow
--- lock
mine for 30 s
--- lock
written
--- lock
a number to compare
--- counter
1 11 8
8
--- counter
999 left
--- counter
UPDATE article SET views = views + 7 WHERE id = 43
7 written
--- counter
UPDATE article SET views = views + 7 WHERE counter = 'views:44'
UPDATE article SET views = views + 1 WHERE counter = 'views:45'
2 written
--- counter
0
--- online-counter
2
--- rate-limiter
welcome
--- rate-limiter
3 4 s
--- event-log
web-1: no answer from db
web-3: disk full
2 new, 0 lost
0 new
--- member-set
bool(true)
article-42
1
--- table
import-17 on web-3: 50 %
0
--- semaphore
permit %d of 3, 2 are free
--- semaphore
exported by worker %d
--- unique-visitors
2 of this article, 3 of the section
--- audit
page: 0 checked, 0 different
--- audit
1 checked, 0 different
--- choosing
imports
--- choosing
by hand, in one line
--- tags
computed
computed again
NULL
--- tags

--- tags
bool(true)
NULL
--- near

--- near

--- copies
bool(true)
17
--- values
array(1) {
  ["name"]=>
  string(3) "Ada"
}
--- keys
the same key
--- clock
NULL

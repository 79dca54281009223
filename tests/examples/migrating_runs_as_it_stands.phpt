--TEST--
Each example of the migration pages runs and prints its documented output
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

foreach (['migrate/mc-class', 'migrate/php-memcached', 'migrate/phpredis', 'migrate/symfony-cache', 'migrate/laravel', 'migrate/apcu', 'frameworks/wordpress'] as $page) {
	$memcached = start_memcached();
	foreach (examples_of(__DIR__ . "/../../docs/$page.md") as $example) {
		echo "--- $page\n", run_example($example, $memcached), "\n";
	}
}
?>
--EXPECT--
--- migrate/mc-class
headline headline
--- migrate/php-memcached
headline
bool(false)
--- migrate/phpredis
headline
report written
1
--- migrate/symfony-cache
headline
its TTL is its length
--- migrate/symfony-cache
report written
--- migrate/laravel
headline
report written
1
--- migrate/apcu
headline
1
--- frameworks/wordpress
headline

--TEST--
Migration code for php-memcached and MC runs unchanged and computes once
--EXTENSIONS--
igbinary
msgpack
memcached
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack', 'memcached');
?>
--INI--
mcpatterns.mc_alias=1
--FILE--
<?php
require __DIR__ . '/../_support/examples.inc';

$calls = 0;
function load_news(): array
{
	$GLOBALS['calls']++;
	return ['headline'];
}

foreach (['mc-class', 'php-memcached'] as $page) {
	$server = start_memcached();
	MC::use(new McPatterns\Cache(new McPatterns\Pool($server->address)));
	foreach (examples_of(__DIR__ . "/../../docs/migrate/$page.md", 'php before') as $block) {
		$calls = 0;
		$block = str_replace("'127.0.0.1', 11211", "'$server->host', $server->port", $block);
		eval($block);
		eval($block);
		echo "$page: ", json_encode($news), " after $calls computation\n";
	}
}
foreach (examples_of(__DIR__ . '/../../docs/migrate/php-memcached.md', 'php both') as $block) {
	eval($block);
}
?>
--EXPECTF--
mc-class: ["headline"] after 1 computation
php-memcached: ["headline"] after 1 computation
Modulo: %d of 1000
Ketama: %d of 1000
OneAtATime: 1000 of 1000

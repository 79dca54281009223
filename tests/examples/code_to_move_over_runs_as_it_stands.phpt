--TEST--
The code on how to move over that readers have now, with php-memcached or the article's class, runs as it stands and finds what it has stored
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

foreach (["From the article's MC class", 'From php-memcached'] as $section) {
	$server = start_memcached();
	MC::use(new McPatterns\Cache(new McPatterns\Pool($server->address)));
	$blocks = examples_of(__DIR__ . '/../../docs/start/migrating.md', 'php before', $section);
	foreach ($blocks as $block) {
		$calls = 0;
		$block = str_replace("'127.0.0.1', 11211", "'$server->host', $server->port", $block);
		eval($block);
		eval($block);
		echo "$section: ", json_encode($news), " after $calls computation\n";
	}
}
foreach (examples_of(__DIR__ . '/../../docs/start/migrating.md', 'php both', 'Which distribution do you have?') as $block) {
	eval($block);
}
?>
--EXPECTF--
From the article's MC class: ["headline"] after 1 computation
From php-memcached: ["headline"] after 1 computation
Modulo: %d of 1000
Ketama: %d of 1000
OneAtATime: 1000 of 1000

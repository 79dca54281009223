--TEST--
The tutorial's commands print their documented output
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

/** How often each line is printed, without durations, which a busy machine changes, and without the number of queries of a stampede. */
function comparable(string $output, bool $is_stampede): array
{
	$counts = [];
	foreach (explode("\n", trim($output)) as $line) {
		preg_match('/^ *(?:(\d+) )?(.*)$/', preg_replace('/ after \d+ s$/', '', $line), $parts);
		$counts[$parts[2]] = ($counts[$parts[2]] ?? 0) + ((int) $parts[1] ?: 1);
	}
	if ($is_stampede && isset($counts['the query runs'])) {
		$counts['the query runs'] = 'some';     // a process that starts a second late finds the value
	}
	return $counts;
}

$folder = make_temporary_folder('tutorial');
register_shutdown_function(function () use ($folder): void {
	$server = (int) @file_get_contents("$folder/work/memcached.pid");
	$server > 0 && send_signal($server, SIGNAL_KILL);
	remove_folder($folder);
});
mkdir("$folder/bin");
file_put_contents("$folder/bin/php", '#!/bin/sh' . "\n" . 'exec ' . escapeshellarg(PHP_BINARY) . ' -n -d ' .
	escapeshellarg('extension=' . getenv('TEST_PHP_EXTENSION')) . ' -d mcpatterns.timeout=10 -d mcpatterns.connect_timeout=10 "$@"' . "\n"); // a busy machine is no outage
chmod("$folder/bin/php", 0700);

preg_match_all('/^```(php|sh|text)\n(.*?)^```$/ms', file_get_contents(__DIR__ . '/../../docs/start/tutorial.md'), $blocks, PREG_SET_ORDER);
$files = $commands = $outputs = 0;
$is_stampede = false;
foreach ($blocks as [, $kind, $block]) {
	$text = str_replace('/tmp/tutorial', "$folder/work", $block);
	if ($kind === 'php') {
		preg_match('~^<\?php // (\S+)$~m', $block, $name);
		file_put_contents("$folder/work/$name[1]", $text);
		$files++;
	} elseif ($kind === 'text') {
		if (comparable($printed, $is_stampede) !== comparable($text, $is_stampede)) {
			echo "The page says:\n$text\nand this is printed:\n$printed\n";
		}
		$outputs++;
	} elseif (!str_contains($block, 'bin/test')) {          // the extension is built already
		$is_stampede = str_contains($block, 'naive');
		file_put_contents("$folder/commands", "set -e\nPATH=" . escapeshellarg("$folder/bin") . ":\$PATH\ncd " .
			escapeshellarg(is_dir("$folder/work") ? "$folder/work" : $folder) . "\n$text");
		$printed = (string) shell_exec('sh ' . escapeshellarg("$folder/commands") . ' 2>&1');
		$commands += substr_count(trim($block), "\n") + 1;
	}
}
clearstatcache();
echo $files, ' files, ', $commands, ' commands, ', $outputs, " outputs\n";
var_dump(is_dir("$folder/work"));
?>
--EXPECT--
6 files, 26 commands, 8 outputs
bool(false)

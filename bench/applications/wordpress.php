<?php
/* Measures a private WordPress with several object caches, in turn over one database; called by bench/applications/wordpress. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require dirname(__DIR__, 2) . '/tests/wordpress/site.inc';
require dirname(__DIR__, 2) . '/tests/wordpress/scenes.inc';
require __DIR__ . '/wordpress-floor.inc';

/** What scenes find; only those that fail are of interest here. */
function check(string $what, bool $is_true, mixed $found = ''): void
{
	$is_true || printf("    not so: %s: %s\n", $what, substr(is_string($found) ? $found : (string) json_encode($found), 0, 300));
}

/** @return array{array<string, list<string>>, list<string>} option => values, and what is none */
function options(array $words): array
{
	$options = ['object-cache' => [], 'settings' => [], 'server' => [], 'theme' => [], 'posts' => ['200'], 'requests' => ['20'], 'turns' => ['5'], 'rounds' => ['0']];
	while (($word = array_shift($words)) !== null) {
		$name = substr($word, 2);
		in_array($name, ['object-cache', 'settings', 'server'], true) ? $options[$name][] = array_shift($words) : $options[$name] = [array_shift($words)];
	}
	return $options;
}

/** @return array<string, string> NAME=FILE as name => file */
function named(array $pairs): array
{
	return array_column(array_map(fn (string $pair): array => explode('=', $pair, 2), $pairs), 1, 0);
}

/** So many posts more, older than the others, in two categories each: what pages show is as before, and what the database looks through is not. */
function write_older(WordPressSite $site, int $posts): void
{
	$sql = fn (string $statement): mixed => $site->act('none', ['do' => 'query', 'sql' => $statement]);
	$texts = 'post_content, post_excerpt, post_status, comment_status, ping_status, post_password, to_ping, pinged, post_content_filtered, post_type, post_mime_type';
	$dates = implode(', ', array_fill(0, 4, "'2020-09-13' - INTERVAL seq HOUR"));
	$sql("INSERT INTO wp_posts (post_author, post_title, post_name, guid, post_date, post_date_gmt, post_modified, post_modified_gmt, $texts)
		SELECT 1, CONCAT('older ', seq), CONCAT('older-', seq), CONCAT('http://localhost/?older=', seq), $dates, $texts
		FROM seq_1_to_$posts, (SELECT $texts FROM wp_posts WHERE post_title = 'post 1') AS one");
	foreach ([0, 5] as $step) {
		$sql("INSERT IGNORE INTO wp_term_relationships SELECT ID, (SELECT MIN(term_taxonomy_id) FROM wp_term_taxonomy WHERE taxonomy = 'category') + 1 + (ID + $step) % 12, 0
			FROM wp_posts WHERE post_name LIKE 'older-%'");
	}
	$sql('UPDATE wp_term_taxonomy AS t SET count = (SELECT COUNT(*) FROM wp_term_relationships AS r WHERE r.term_taxonomy_id = t.term_taxonomy_id)');
	$sql('ANALYZE TABLE wp_posts, wp_term_relationships');
}

/** Every object cache begins with nothing, and what WordPress makes after a change of theme is made. */
function begin(WordPressSite $site, array $contents, string $theme): void
{
	$theme === '' || $site->act('none', ['do' => 'theme', 'name' => $theme]);
	for ($time = 0; $time < 3; $time++) {
		$site->page('none', '/');
	}
	foreach ($contents as $content) {
		$site->act($content, ['do' => 'flush']);
	}
}

/** Milliseconds of processor that a page takes, by the parts that have one in it; the cache's server is memcached, or the one that has this process id. */
function time_of(WordPressSite $site, string $content, string $path, int $requests, int $server): array
{
	$processor = function () use ($site, $server): array {
		$taken = $site->processor();
		return ['cache' => $taken['memcached'] + ($server === 0 ? 0 : $site->processor_of($server))] + $taken;
	};
	$before = $processor();
	$open = [];
	for ($request = 0; $request < $requests; $request++) {
		$open[] = $site->send($content, $path);
		count($open) < 2 || array_shift($open)->answer();
	}
	array_map(fn (PageRequest $request): string => $request->answer(), $open);
	$after = $processor();
	$parts = ['workers', 'database', 'cache'];
	return array_map(fn (string $part): float => ($after[$part] - $before[$part]) * 1000 / $requests, array_combine($parts, $parts));
}

function median(array $numbers): float
{
	sort($numbers);
	return $numbers[intdiv(count($numbers), 2)];
}

[$extension, $tree] = [$argv[1], $argv[2]];
$options = options(array_slice($argv, 3));
putenv('TEST_PHP_EXTENSION=' . realpath($extension));
$ours = dirname(__DIR__, 2) . '/adapters/wordpress/object-cache.php';
$others = named($options['object-cache']);
$floor = tempnam(sys_get_temp_dir(), 'floor');
file_put_contents($floor, floor_drop_in("$tree/wp-includes/cache.php"));
$site = new WordPressSite($tree, (string) realpath($extension), ['ours' => $ours] + $others + ['floor' => $floor]);
unlink($floor);
foreach (named($options['settings']) as $content => $file) {
	$site->configure($content, (string) file_get_contents($file));
}
$posts = written($site)['posts'];
(int) $options['posts'][0] > 200 && write_older($site, (int) $options['posts'][0] - 200);
$contents = ['none', 'ours', ...array_keys($others), 'floor'];
begin($site, $contents, $options['theme'][0] ?? '');

$times = [];
$servers = array_map(intval(...), named($options['server']));
$paths = ['front page' => '/', 'single page' => "/?p=$posts[100]"];
for ($turn = -1; $turn < (int) $options['turns'][0]; $turn++) {
	foreach ($paths as $name => $path) {
		foreach ($contents as $content) {
			$taken = time_of($site, $content, $path, $turn < 0 ? 5 : (int) $options['requests'][0], $servers[$content] ?? 0);
			$turn < 0 || $times[$name][$content][] = $taken;
		}
	}
}
printf("%-12s%-16s%10s%10s%10s%10s%10s\n", 'ms a page', '', 'workers', 'database', 'server', 'together', 'to none');
foreach ($times as $name => $of) {
	$together = fn (string $content): float => median(array_map(array_sum(...), $of[$content]));
	foreach ($contents as $content) {
		$part = fn (string $which): float => median(array_column($of[$content], $which));
		printf("%-12s%-16s%10.1f%10.1f%10.1f%10.1f%10.2f\n", $name, $content, $part('workers'), $part('database'), $part('cache'), $together($content), $together($content) / $together('none'));
	}
	printf("%-12s%-16s%10d round trips\n", $name, 'ours', round_trips($site, 'ours', $paths[$name]));
}
if ((int) $options['rounds'][0] > 0) {
	foreach (['options', 'edits', 'forced'] as $scene) {
		printf("%s, %d rounds:\n", $scene, (int) $options['rounds'][0]);
		(SCENES[$scene])($site, (int) $options['rounds'][0]);
	}
}

<?php
/* Does in WordPress what the tests ask for, in a request like any other, and answers in JSON. */
/* SPDX-License-Identifier: MIT */

$do = $_GET['do'];
if ($do === 'install' || $do === 'network') {
	define('WP_INSTALLING', true);
	(new mysqli(null, 'root', '', '', 0, getenv('SITE_FOLDER') . '/database.sock'))->query('CREATE DATABASE IF NOT EXISTS site');
}
require __DIR__ . '/wp-load.php';

/** By WordPress' own installer. */
function install(): int
{
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	wp_install('A private site', 'admin', 'admin@example.org', true, '', 'a password');
	$GLOBALS['wp_rewrite']->set_permalink_structure('');
	return 1;
}

/** Writes posts of some length, each in two of so many categories and with a comment. */
function write(int $posts, int $categories): array
{
	$ids = array_map(fn (int $number): int => (int) wp_insert_term("category $number", 'category')['term_id'], range(1, $categories));
	$text = implode("\n\n", array_fill(0, 8, '<!-- wp:paragraph --><p>' . str_repeat('Lorem ipsum dolor sit amet. ', 12) . '</p><!-- /wp:paragraph -->'));
	$written = [];
	for ($number = 1; $number <= $posts; $number++) {
		$written[] = $id = wp_insert_post(['post_title' => "post $number", 'post_content' => "<!-- wp:paragraph --><p>$number</p><!-- /wp:paragraph -->$text",
			'post_status' => 'publish', 'post_author' => 1, 'post_category' => [$ids[$number % $categories], $ids[($number * 7 + 1) % $categories]],
			'tags_input' => ['tag ' . $number % 9], 'post_date' => gmdate('Y-m-d H:i:s', 1_600_000_000 + $number * 3600)]);
		wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => 'somebody', 'comment_author_email' => 'somebody@example.org', 'comment_content' => "on $number", 'comment_date' => '2021-01-01 00:00:00']);
	}
	return ['posts' => $written, 'categories' => $ids];
}

/** A network of two blogs, in tables of its own. */
function make_network(): int
{
	global $wpdb;
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	wp_install('A network', 'admin', 'admin@example.org', true, '', 'a password');
	foreach ($wpdb->tables('ms_global') as $table => $name) {
		$wpdb->$table = $name;
	}
	define('WP_INSTALLING_NETWORK', true);
	install_network();
	$made = populate_network(1, 'localhost', 'admin@example.org', 'A network', '/', false);
	return is_wp_error($made) ? throw new Exception($made->get_error_message()) : 1;
}

/** Every option that is loaded at once, besides those that WordPress makes as it goes. */
function options(): array
{
	return array_filter(wp_load_alloptions(true), fn (string $name): bool => str_starts_with($name, 'own_'), ARRAY_FILTER_USE_KEY);
}

/** What the pages of a post are made of. */
function state_of_post(int $id): array
{
	$post = get_post($id);
	$terms = wp_get_post_categories($id);
	sort($terms);
	return [$post->post_title, $post->post_modified, $terms, get_post_meta($id, 'own', true), (int) $post->comment_count,
		array_map(fn (int $term): int => get_term($term)->count, $terms)];
}

$number = fn (string $name): int => (int) ($_GET[$name] ?? 0);
$is = match ($do) {
	'install' => install(),
	'write' => write($number('posts'), $number('categories')),
	'network' => make_network(),
	'blog' => wp_insert_site(['domain' => 'localhost', 'path' => $_GET['path'], 'network_id' => 1, 'user_id' => 1, 'title' => $_GET['path']]),
	'theme' => [switch_theme($_GET['name']), get_stylesheet()][1],
	'option' => update_option($_GET['name'], $_GET['value']),
	'drop-option' => delete_option($_GET['name']),
	'options' => options(),
	'get-option' => get_option($_GET['name'], null),
	'schedule' => wp_schedule_single_event(1_000_000_000, "own_event_$_GET[name]", [], true),
	'scheduled' => _get_cron_array(),
	'edit' => wp_update_post(['ID' => $number('post'), 'post_title' => $_GET['title'], 'post_category' => explode(',', $_GET['categories']), 'meta_input' => ['own' => $_GET['title']]]),
	'categorise' => wp_set_post_categories($number('post'), [$number('category')]),
	'comment' => wp_insert_comment(['comment_post_ID' => $number('post'), 'comment_content' => $_GET['text'], 'comment_author' => 'x', 'comment_author_email' => 'x@example.org']),
	'state' => state_of_post($number('post')),
	'blog-option' => [switch_to_blog($number('blog')), update_option($_GET['name'], $_GET['value']), restore_current_blog()][1],
	'blog-options' => [switch_to_blog($number('blog')), options(), restore_current_blog()][1],
	'metrics' => McPatterns\Metrics::read(),
	'opcache' => opcache_get_status(false)['opcache_statistics'],
	'query' => $GLOBALS['wpdb']->get_var(wp_unslash($_GET['sql'])),
	'flush' => wp_cache_flush(),
};
header('Content-Type: application/json');
echo json_encode(['is' => $is]);

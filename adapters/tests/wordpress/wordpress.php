<?php
/* The functions of WordPress that object-cache.php calls, and transients as they are kept in an object cache: as its developer
 * handbook describes them. For tests and examples; what they note is in $GLOBALS['wordpress']. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

define('ABSPATH', __DIR__ . '/');

$GLOBALS['wordpress'] = ['multisite' => false, 'blog' => 1, 'suspended' => false, 'wrong' => [], 'actions' => [], 'admin' => true];

function is_multisite(): bool
{
	return $GLOBALS['wordpress']['multisite'];
}

function get_current_blog_id(): int
{
	return $GLOBALS['wordpress']['blog'];
}

function switch_to_blog(int $blog): void
{
	$GLOBALS['wordpress']['blog'] = $blog;
	wp_cache_switch_to_blog($blog);
}

function wp_suspend_cache_addition(?bool $suspend = null): bool
{
	return $GLOBALS['wordpress']['suspended'] = $suspend ?? $GLOBALS['wordpress']['suspended'];
}

function _doing_it_wrong(string $function, string $message, string $version): void
{
	$GLOBALS['wordpress']['wrong'][] = $message;
}

function add_action(string $hook, callable $do): void
{
	$GLOBALS['wordpress']['actions'][$hook][] = $do;
}

function do_action(string $hook): void
{
	foreach ($GLOBALS['wordpress']['actions'][$hook] ?? [] as $do) {
		$do();
	}
}

function current_user_can(string $capability): bool
{
	return $GLOBALS['wordpress']['admin'];
}

function esc_html(string $text): string
{
	return htmlspecialchars($text, ENT_QUOTES);
}

function get_transient(string $name): mixed
{
	return wp_cache_get($name, 'transient');
}

function set_transient(string $name, mixed $value, int $seconds = 0): bool
{
	return wp_cache_set($name, $value, 'transient', $seconds);
}

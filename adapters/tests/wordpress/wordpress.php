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

/* WordPress 6.9's salted values, which it defines itself where an object cache does not. */

/** @param string|list<string> $salt */
function salt_of(string|array $salt): string
{
	return implode(':', (array) $salt);
}

/** @param string|list<string> $salt */
function of_that_salt(mixed $stored, string|array $salt): mixed
{
	return is_array($stored) && isset($stored['data']) && ($stored['salt'] ?? null) === salt_of($salt) ? $stored['data'] : false;
}

/** @param string|list<string> $salt */
function wp_cache_get_salted(string $key, string $group, string|array $salt): mixed
{
	return of_that_salt(wp_cache_get($key, $group), $salt);
}

/** @param string|list<string> $salt */
function wp_cache_set_salted(string $key, mixed $data, string $group, string|array $salt, int $expire = 0): bool
{
	return wp_cache_set($key, ['data' => $data, 'salt' => salt_of($salt)], $group, $expire);
}

/**
 * @param list<string> $keys
 * @param string|list<string> $salt
 * @return array<array-key, mixed>
 */
function wp_cache_get_multiple_salted(array $keys, string $group, string|array $salt): array
{
	return array_map(fn (mixed $stored) => of_that_salt($stored, $salt), wp_cache_get_multiple($keys, $group));
}

/**
 * @param array<string, mixed> $data
 * @param string|list<string> $salt
 * @return array<array-key, bool>
 */
function wp_cache_set_multiple_salted(array $data, string $group, string|array $salt, int $expire = 0): array
{
	return wp_cache_set_multiple(array_map(fn (mixed $one) => ['data' => $one, 'salt' => salt_of($salt)], $data), $group, $expire);
}

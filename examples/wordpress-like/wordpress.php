<?php
/* What is left of WordPress here: the settings, the functions that object-cache.php calls, how it is loaded, and transients. */
/* SPDX-License-Identifier: MIT */

define('ABSPATH', __DIR__ . '/');
define('WP_CONTENT_DIR', ABSPATH . 'wp-content');
define('AUTH_KEY', 'the secret of this site');      // wp-config.php
define('MCPATTERNS_GRACE', is_numeric($grace = getenv('MCPATTERNS_GRACE')) ? (float) $grace : 300);      // wp-config.php

function is_multisite(): bool
{
    return false;
}

function wp_suspend_cache_addition(): bool
{
    return false;
}

function current_user_can(string $capability): bool
{
    return true;
}

function esc_html(string $text): string
{
    return htmlspecialchars($text);
}

function _doing_it_wrong(string $function, string $message, string $version): void
{
    error_log("$function: $message");
}

/** An admin's page would show its notices later; this one has nothing else to show. */
function add_action(string $hook, callable $do): void
{
    if ($hook === 'admin_notices') {
        $do();
    }
}

if (is_file(WP_CONTENT_DIR . '/object-cache.php')) {
    require_once WP_CONTENT_DIR . '/object-cache.php';
}
if (!function_exists('wp_cache_init')) {
    exit('WordPress would go on with its own object cache from here; this example ends.');
}
wp_cache_init();

function get_transient(string $name): mixed
{
    return wp_cache_get($name, 'transient');
}

function set_transient(string $name, mixed $value, int $seconds): bool
{
    return wp_cache_set($name, $value, 'transient', $seconds);
}

<?php
/* The configuration of the private site; what a request does not say is as after an installation. */
/* SPDX-License-Identifier: MIT */

define('DB_NAME', 'site');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('SITE_FOLDER') . '/database.sock');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) {
	define($name, hash('sha256', "a private site's $name"));
}
define('WP_CONTENT_DIR', getenv('SITE_FOLDER') . "/$_SERVER[SITE_CONTENT]");
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('MCPATTERNS_SERVERS', getenv('SITE_MEMCACHED'));
$table_prefix = isset($_SERVER['NETWORK']) ? 'net_' : 'wp_';
if (($_SERVER['NETWORK'] ?? '') === 'on') {
	define('MULTISITE', true);
	define('SUBDOMAIN_INSTALL', false);
	define('DOMAIN_CURRENT_SITE', 'localhost');
	define('PATH_CURRENT_SITE', '/');
	define('SITE_ID_CURRENT_SITE', 1);
	define('BLOG_ID_CURRENT_SITE', 1);
}
require WP_CONTENT_DIR . '/config.php';
if (!defined('ABSPATH')) {
	define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';

<?php
/* The router of PHP's own web server: MediaWiki's entry points, with the settings that the environment names. */
/* SPDX-License-Identifier: MIT */

define('MW_CONFIG_FILE', getenv('WIKI_SETTINGS'));
require getenv('MEDIAWIKI') . (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) === '/api.php' ? '/api.php' : '/index.php');

<?php
/* The adapters' own classes beside composer's, and the test suite's private memcached. Requires the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

if (!extension_loaded('mcpatterns')) {
	exit("the extension mcpatterns is not loaded\n");
}
require_once __DIR__ . '/../../../tests/_support/memcached.inc';
require_once __DIR__ . '/../../../tests/_support/workers.inc';

spl_autoload_register(function (string $class): void {
	foreach (['McPatterns\Adapters\Tests\Support\\' => __DIR__, 'McPatterns\Adapters\Tests\\' => dirname(__DIR__), 'McPatterns\Adapters\\' => dirname(__DIR__, 2) . '/src'] as $prefix => $folder) {
		$file = $folder . '/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
		if (str_starts_with($class, $prefix) && is_file($file)) {
			require $file;
			return;
		}
	}
});

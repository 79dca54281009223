<?php
/* The common bootstrap, and CodeIgniter's own for tests, with the application of its package. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';

(function (): void {
	$package = dirname((string) (new ReflectionClass(CodeIgniter\Cache\CacheInterface::class))->getFileName(), 3);
	define('HOMEPATH', "$package/");
	define('CONFIGPATH', "$package/app/Config/");
	define('PUBLICPATH', "$package/public/");
	require "$package/system/Test/bootstrap.php";
	error_reporting(-1);
})();

<?php
/* The adapters' classes and the private memcached, MediaWiki's own classes out of the folder that the environment's MEDIAWIKI names. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';

(function (string $wiki): void {
	if (!is_file("$wiki/autoload.php")) {
		exit("there is no MediaWiki in '$wiki': set MEDIAWIKI to its folder\n");
	}
	require "$wiki/vendor/autoload.php";
	$wgAutoloadLocalClasses = [];
	require "$wiki/autoload.php";
	spl_autoload_register(function (string $class) use ($wgAutoloadLocalClasses): void {
		if (isset($wgAutoloadLocalClasses[$class])) {
			require $wgAutoloadLocalClasses[$class];
		}
	});
})((string) getenv('MEDIAWIKI'));

require __DIR__ . '/../../mediawiki/BagOStuff.php';
require __DIR__ . '/RowsUnderLoad.php';
require __DIR__ . '/Site.php';

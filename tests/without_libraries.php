<?php
/* What an extension does that was built without zlib and zstd; bin/test builds one and runs this with it. The last
 * line is "N passed, N failed, N skipped". */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use McPatterns\{Cache, Compression, Pool};

$counts = ['passed' => 0, 'failed' => 0];

function expect(string $what, mixed $expected, mixed $found): void
{
	global $counts;
	$counts[$expected === $found ? 'passed' : 'failed']++;
	if ($expected !== $found) {
		echo "--- $what: ", var_export($found, true), ', not ', var_export($expected, true), "\n";
	}
}

function mistake(callable $call): string
{
	try {
		$call();
		return 'none';
	} catch (ValueError $error) {
		return $error->getMessage();
	}
}

ob_start();
(new ReflectionExtension('mcpatterns'))->info();
expect('what --ri says', 1, preg_match('/^compression => none$/m', ob_get_clean()));
$packages = ['Zlib' => 'zlib1g-dev', 'Zstd' => 'libzstd-dev'];
foreach ($packages as $name => $package) {
	$compression = constant("McPatterns\\Compression::$name");
	$library = strtolower($name);
	$advice = "must be one that mcpatterns was built with, and it was built without $library: install $package and pkg-config, and build mcpatterns again";
	expect("asking for $name", "McPatterns\\Pool::__construct(): Argument #7 (\$compression) $advice",
		mistake(fn () => new Pool('memory://m', compression: $compression)));
	ini_set('mcpatterns.compression', $library);
	expect("the setting $library", "The INI setting mcpatterns.compression $advice", mistake(fn () => Pool::default()));
	ini_restore('mcpatterns.compression');
}
$text = str_repeat('a', 100_000);
foreach ([new Pool('memory://m'), new Pool('memory://m', compression: Compression::None)] as $pool) {
	$cache = new Cache($pool);
	expect('a long value', [true, $text], [$cache->set('k', $text), $cache->get('k')]);
}
echo "{$counts['passed']} passed, {$counts['failed']} failed, 0 skipped\n";
exit($counts['failed'] > 0 ? 1 : 0);

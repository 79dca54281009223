<?php
/* What an extension does that was built without libmemcached, zlib and zstd; bin/test builds one and runs this with it. The last
 * line is "N passed, N failed, N skipped". */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use McPatterns\{Cache, Compression, Pool, Transport};

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

/** What a PHP with this setting says at its start, and then. */
function start(string $setting): string
{
	$extension = $_SERVER['argv'][1];
	return shell_exec(escapeshellarg(PHP_BINARY) . " -n -d display_startup_errors=1 -d html_errors=0 -d extension=$extension -d $setting"
		. ' -r ' . escapeshellarg('echo "started"; if (class_exists("McPatterns\Pool")) { ob_start(); var_dump(McPatterns\Pool::default()); preg_match("/transport.*?\"(\w+)\"/s", ob_get_clean(), $by); echo " by $by[1]"; }') . ' 2>&1');
}

function transport(Pool $pool): string
{
	ob_start();
	var_dump($pool);
	return preg_match('/"transport"\]=>\s+string\(\d+\) "(\w+)"/', ob_get_clean(), $found) ? $found[1] : 'unknown';
}

ob_start();
(new ReflectionExtension('mcpatterns'))->info();
$info = ob_get_clean();
foreach (['compression => none', 'libmemcached version => none (built without it)', 'transports => direct', 'mcpatterns.transport => direct => direct'] as $line) {
	expect("whether --ri says $line", 1, preg_match('/^' . preg_quote($line, '/') . '$/m', $info));
}

expect('the cases', ['Libmemcached', 'Direct'], array_column(Transport::cases(), 'name'));
expect('the transport of a Pool', 'direct', transport(new Pool('127.0.0.1:1')));
expect('that of the settings', 'direct', transport(Pool::default()));
expect('asking for Direct', 'none', mistake(fn () => new Pool('127.0.0.1:1', transport: Transport::Direct)));
expect('asking for Libmemcached', 'McPatterns\Pool::__construct(): Argument #14 ($transport) must be Transport::Direct: this build has no libmemcached',
	mistake(fn () => new Pool('127.0.0.1:1', transport: Transport::Libmemcached)));
$refusal = 'The INI setting mcpatterns.transport must be "direct": this build has no libmemcached';
ini_set('mcpatterns.transport', 'libmemcached');
expect('the setting libmemcached', $refusal, mistake(fn () => Pool::default()));
ini_restore('mcpatterns.transport');
expect('starting with libmemcached', [true, false], array_map(fn (string $words): bool => str_contains(start('mcpatterns.transport=libmemcached'), $words), [$refusal, ' by ']));
foreach (['', 'direct'] as $setting) {
	expect("starting with \"$setting\"", 'started by direct', start("mcpatterns.transport=$setting"));
}

$packages = ['Zlib' => 'zlib1g-dev', 'Zstd' => 'libzstd-dev'];
foreach ($packages as $name => $package) {
	$compression = constant("McPatterns\\Compression::$name");
	$library = strtolower($name);
	$advice = "must be built in: mcpatterns was built without $library; install $package and pkg-config, and rebuild mcpatterns";
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

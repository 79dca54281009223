<?php
/* Plays the scenes of bench/applications/mediawiki, and prints what came of them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use McPatterns\Adapters\MediaWiki\BagOStuff;
use McPatterns\Adapters\Tests\MediaWiki\{RowsUnderLoad, Site};

require __DIR__ . '/../../adapters/tests/mediawiki/mediawiki.php';

$rows = (int) $argv[1];
$memcached = start_memcached(['tcp' => true]);
$core = ['keyspace' => 'wiki', 'servers' => [$memcached->address], 'persistent' => false];
$clients = [
	'mcpatterns' => [fn () => new BagOStuff($core), 'mw:'],
	'mcpatterns, unguarded' => [fn () => new BagOStuff($core + ['pool' => ['failover' => true]]), 'mw:'],
];
if (extension_loaded('memcached')) {
	$clients["core's, php-memcached"] = [fn () => new MemcachedPeclBagOStuff($core), ''];
}
printf("%-24s%10s%10s%10s%10s%10s%10s\n", 'rows, purges lost', 'reads', 'computed', 'changes', 'lost', 'held', 'old');
foreach ($clients as $name => [$bag, $prefix]) {
	$found = (new RowsUnderLoad($bag, $memcached, $prefix))->run($rows);
	printf("%-24s%10d%10d%10d%10d%10d%10d\n", $name, ...array_values($found));
}

$site = new Site();
$caches = ['mcpatterns' => $site->documented(), "core's, PHP's own" => $site->core('MemcachedPhpBagOStuff')];
if (extension_loaded('memcached')) {
	$caches["core's, php-memcached"] = $site->core('MemcachedPeclBagOStuff');
}
printf("\n%-24s%10s%10s%10s\n", 'seconds for a page', 'usual', 'frozen', 'the next');
foreach ($caches as $name => $settings) {
	$web = $site->serve($settings);
	$page = function () use ($web): float {
		$begun = microtime(true);
		$web->get('/index.php?title=Main_Page');
		return microtime(true) - $begun;
	};
	$usual = min(array_map($page, [0, 0, 0, 0]));
	$site->memcached->freeze();
	$frozen = [$page(), $page()];
	$site->memcached->thaw();
	$web->dispose();
	printf("%-24s%10.2f%10.2f%10.2f\n", $name, $usual, ...$frozen);
}

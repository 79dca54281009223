<?php
/* Finds the loop of one operation for one client, prepared and ready to be called with a number of calls.
 * The clients are mcpatterns, direct (the same over a connection of its own), memcached, symfony and apcu. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/operations.php';
require __DIR__ . '/symfony.php';

function loop(string $socket, string $client, string $operation): callable
{
	$prepare = $client === 'symfony'
		? symfony_operations()[$operation] ?? null
		: operations()[$operation][$client === 'direct' ? 'mcpatterns' : $client] ?? null;
	if ($prepare === null) {
		fwrite(STDERR, "$client has no operation \"$operation\"\n");
		exit(1);
	}
	return $prepare(match ($client) {
		'mcpatterns' => pool($socket, \McPatterns\Transport::Libmemcached),
		'direct' => pool($socket, \McPatterns\Transport::Direct),
		'memcached' => memcached($socket),
		'apcu' => null,
		'symfony' => symfony($socket),
	});
}

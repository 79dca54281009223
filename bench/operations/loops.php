<?php
/* Finds the loop of one operation for one client, prepared and ready to be called with a number of calls, and says which
 * clients are compared by which operation. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\Transport;

require __DIR__ . '/operations.php';
require __DIR__ . '/apcu.php';
require __DIR__ . '/floor.php';
require __DIR__ . '/symfony.php';

/** @return array<string, callable(string): mixed> client => what its loops are prepared with, of the server's socket */
function makers(): array
{
	return [
		'memcached' => memcached(...),
		'mcpatterns' => fn (string $socket): mixed => pool($socket, Transport::Libmemcached),
		'direct' => fn (string $socket): mixed => pool($socket, Transport::Direct),
		'near' => fn (string $socket): mixed => pool($socket, Transport::Direct),
		'apcu' => fn (): mixed => null,
		'symfony' => symfony_memcached(...),
		'symfony-mcpatterns' => fn (string $socket): mixed => symfony_mcpatterns(pool($socket, Transport::Libmemcached)),
		'symfony-direct' => fn (string $socket): mixed => symfony_mcpatterns(pool($socket, Transport::Direct)),
	];
}

/** What prepares the loop, of what the client's maker has made; null: the client has no such operation. */
function preparation(string $client, string $operation): ?callable
{
	return match ($client) {
		'mcpatterns', 'direct' => operations()[$operation]['mcpatterns'] ?? null,
		'memcached' => operations()[$operation]['memcached'] ?? null,
		'near' => near_operations()[$operation] ?? null,
		'apcu' => apcu_operations()[$operation] ?? null,
		'symfony', 'symfony-mcpatterns', 'symfony-direct' => symfony_operations()[$operation] ?? null,
		default => null,
	};
}

function loop(string $socket, string $client, string $operation): callable
{
	$prepare = preparation($client, $operation);
	if ($prepare === null) {
		fwrite(STDERR, "$client has no operation \"$operation\"\n");
		exit(1);
	}
	return $prepare(makers()[$client]($socket));
}

function is_here(string $client): bool
{
	return match ($client) {
		'memcached' => extension_loaded('memcached'),
		'apcu' => extension_loaded('apcu') && \apcu_enabled(),
		'symfony' => is_here('memcached') && is_here('symfony-direct'),
		'symfony-mcpatterns', 'symfony-direct' => is_file(getenv('MCP_BENCH_VENDOR') . '/autoload.php'),
		default => true,
	};
}

/** What bench/compare compares. */
const COMPARED = [
	'get, string of 1,000 bytes',
	'get, near, out of the host',
	'get, array of 10 rows',
	'remember, fresh string of 1,000 bytes',
	'remember, fresh, with entry: $e',
	'set, string of 1,000 bytes',
	'getMultiple, 10 strings of 1,000 bytes',
	'getMultiple, 100 strings of 1,000 bytes',
	'getMultiple, 100 strings, near, out of the host',
	'get, over two servers',
	'get, 1,000 keys in turn over four servers',
	'getMultiple, 100 strings over two servers',
	'setMultiple, 100 strings over two servers',
	'Counter::increment',
	'Lock::acquire, release',
	'UniqueVisitors::hit, new',
];

/** @return array<string, list<string>> operation => its clients, of those that are here */
function compared(): array
{
	$here = array_filter(array_keys(makers()), is_here(...));
	foreach (COMPARED as $operation) {
		$compared[$operation] = array_filter($here, fn (string $client): bool => preparation($client, $operation) !== null);
		// There they are the same as near.
		if (str_ends_with($operation, 'near, out of the host')) {
			$compared[$operation] = array_diff($compared[$operation], ['mcpatterns', 'direct']);
		}
	}
	if (getenv('MCP_BENCH_FLOOR') !== false) {
		$compared[FLOOR_OPERATION][] = 'floor';
	}
	return $compared;
}

<?php
/* The operations of operations.php that Symfony's cache has too. Only used where bench/compare has
 * installed it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use Symfony\Component\Cache\Adapter\MemcachedAdapter;

function symfony(string $socket): MemcachedAdapter
{
	require_once getenv('MCP_BENCH_VENDOR') . '/autoload.php';
	return new MemcachedAdapter(memcached($socket));
}

/** A fresh hit by the contract: what corresponds to get and to remember. */
function symfony_getting(mixed $value): callable
{
	return function (MemcachedAdapter $cache) use ($value): callable {
		$compute = fn (): mixed => $value;
		$cache->get('sym', $compute);
		return function (int $calls) use ($cache, $compute): void {
			for ($call = 0; $call < $calls; $call++) {
				$cache->get('sym', $compute);
			}
		};
	};
}

/** @return array<string, callable> operation => what prepares the loop */
function symfony_operations(): array
{
	return [
		'get, string of 1,000 bytes' => symfony_getting(text()),
		'get, array of 10 rows' => symfony_getting(rows()),
		'remember, fresh string of 1,000 bytes' => symfony_getting(text()),
	];
}

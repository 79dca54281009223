<?php
/* The operations of operations.php that Symfony's contract has too, over Symfony's own adapter and over this project's.
 * Only used where bench/compare has installed symfony/cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Pool;
use Symfony\Component\Cache\Adapter\MemcachedAdapter;
use Symfony\Contracts\Cache\CacheInterface;

function load_symfony(): void
{
	require_once getenv('MCP_BENCH_VENDOR') . '/autoload.php';
	spl_autoload_register(function (string $class): void {
		$name = substr($class, strlen('McPatterns\\Adapters\\'));
		if ($class === "McPatterns\\Adapters\\$name") {
			require __DIR__ . '/../../adapters/src/' . strtr($name, '\\', '/') . '.php';
		}
	});
}

function symfony_memcached(string $socket): CacheInterface
{
	load_symfony();
	return new MemcachedAdapter(memcached($socket));
}

function symfony_mcpatterns(Pool $pool): CacheInterface
{
	load_symfony();
	return new CacheAdapter($pool, 'ours');
}

/** A fresh hit by the contract: what corresponds to get and to remember. */
function symfony_getting(mixed $value): callable
{
	return function (CacheInterface $cache) use ($value): callable {
		$compute = fn (): mixed => $value;
		$cache->delete('sym');
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

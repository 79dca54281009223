<?php
/* Operations by Symfony's contract, over Symfony's own adapters and over this project's; some are those of operations.php.
 * Only used where a benchmark has installed symfony/cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\Adapters\Symfony\{CacheAdapter, TagAwareCacheAdapter};
use McPatterns\Pool;
use Symfony\Component\Cache\Adapter\{AdapterInterface, MemcachedAdapter, TagAwareAdapter, TagAwareAdapterInterface};
use Symfony\Contracts\Cache\ItemInterface;

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

/** What the operations of one client are over. */
final class SymfonyPools
{
	public function __construct(public readonly AdapterInterface $plain, public readonly TagAwareAdapterInterface $tagged)
	{
	}
}

function symfony_memcached(string $socket): SymfonyPools
{
	load_symfony();
	$pool = new MemcachedAdapter(memcached($socket));
	return new SymfonyPools($pool, new TagAwareAdapter($pool));
}

function symfony_mcpatterns(Pool $pool): SymfonyPools
{
	load_symfony();
	return new SymfonyPools(new CacheAdapter($pool, 'ours'), new TagAwareCacheAdapter($pool, 'tagged'));
}

/** A fresh hit by the contract: what corresponds to get and to remember. */
function symfony_getting(mixed $value): callable
{
	return function (SymfonyPools $pools) use ($value): callable {
		$cache = $pools->plain;
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

/** The same of an item with two tags. */
function symfony_getting_tagged(mixed $value): callable
{
	return function (SymfonyPools $pools) use ($value): callable {
		$cache = $pools->tagged;
		$compute = fn (ItemInterface $item): mixed => [$item->tag(['a', 'b']), $value][1];
		$cache->delete('tagged');
		$cache->get('tagged', $compute);
		return function (int $calls) use ($cache, $compute): void {
			for ($call = 0; $call < $calls; $call++) {
				$cache->get('tagged', $compute);
			}
		};
	};
}

/** What PSR-6 has of Symfony's pools, of an item that is there. */
function symfony_items(mixed $value, \Closure $once): callable
{
	return function (SymfonyPools $pools) use ($value, $once): callable {
		$cache = $pools->plain;
		$cache->save($cache->getItem('item')->set($value));
		return function (int $calls) use ($cache, $once, $value): void {
			for ($call = 0; $call < $calls; $call++) {
				$once($cache, $value);
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
		'get, two tags, string of 1,000 bytes' => symfony_getting_tagged(text()),
		'get, two tags, array of 10 rows' => symfony_getting_tagged(rows()),
		'getItem, string of 1,000 bytes' => symfony_items(text(), fn (AdapterInterface $cache): mixed => $cache->getItem('item')->get()),
		'save, string of 1,000 bytes' => symfony_items(text(), fn (AdapterInterface $cache, string $value): bool => $cache->save($cache->getItem('item')->set($value))),
	];
}

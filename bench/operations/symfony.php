<?php
/* Calls of Symfony's caches and locks, over Symfony's own driver for memcached and over this project's adapters: a few for
 * loops.php, all for adapters.php. Only used where a benchmark has installed symfony/cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\Adapters\Symfony\{CacheAdapter, LockStore, TagAwareCacheAdapter};
use McPatterns\{Pool, Transport};
use Psr\Cache\CacheItemInterface;
use Symfony\Component\Cache\Adapter\{AdapterInterface, MemcachedAdapter, TagAwareAdapter, TagAwareAdapterInterface};
use Symfony\Component\Cache\LockRegistry;
use Symfony\Component\Lock\{Key, PersistingStoreInterface};
use Symfony\Component\Lock\Store\MemcachedStore;
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

function symfony_memcached(string $socket): AdapterInterface
{
	load_symfony();
	return new MemcachedAdapter(memcached($socket));
}

function symfony_mcpatterns(Pool $pool): AdapterInterface
{
	load_symfony();
	return new CacheAdapter($pool, 'ours');
}

/** A fresh hit by the contract: what corresponds to get and to remember. */
function symfony_getting(mixed $value): callable
{
	return function (AdapterInterface $cache) use ($value): callable {
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

/** @return array{AdapterInterface, TagAwareAdapterInterface, PersistingStoreInterface} what symfony_calls() are prepared with */
function symfony_client(string $socket, string $client): array
{
	if ($client === 'own') {
		$memcached = MemcachedAdapter::createConnection([[$socket, 0]]);
		$caches = [new MemcachedAdapter($memcached, 'plain'), new TagAwareAdapter(new MemcachedAdapter($memcached, 'tagged'))];
		// As in a request of a web server: on the command line, two processes would compute the same value at once.
		array_map(fn (MemcachedAdapter|TagAwareAdapter $cache): callable => $cache->setCallbackWrapper(LockRegistry::compute(...)), $caches);
		return [...$caches, new MemcachedStore($memcached)];
	}
	$pool = new Pool("unix://$socket", prefix: $client, timeout: 30, transport: $client === 'direct' ? Transport::Direct : Transport::Libmemcached);
	return [new CacheAdapter($pool, 'plain'), new TagAwareCacheAdapter($pool, 'tagged'), new LockStore($pool)];
}

/** @return array<string, callable(AdapterInterface): callable> of items without tags, name => what prepares the call */
function symfony_item_calls(): array
{
	$row = row();
	$compute = fn (ItemInterface $item): array => [$item->expiresAfter(600), $row][1];
	$with = fn (\Closure $call): callable => fn (AdapterInterface $cache): callable => [$cache->save($cache->getItem('hit')->set($row)->expiresAfter(600)),
		fn (): mixed => $call($cache)][1];
	$new = fn (AdapterInterface $cache, string $key): CacheItemInterface => $cache->getItem($key)->set($row)->expiresAfter(600);
	$defer = fn (AdapterInterface $cache): bool => array_map(fn (string $key): bool => $cache->saveDeferred($new($cache, $key)), hundred()) !== [] && $cache->commit();
	return [
		'get' => $with(fn (AdapterInterface $cache): mixed => $cache->get('hit', $compute)),
		'get, missing' => fn (AdapterInterface $cache): callable => fn (): mixed => $cache->get(new_key(), $compute),
		'getItem' => $with(fn (AdapterInterface $cache): mixed => $cache->getItem('hit')->get()),
		'getItem, missing' => fn (AdapterInterface $cache): callable => fn (): mixed => $cache->getItem('absent')->get(),
		'getItems, 100 keys' => fn (AdapterInterface $cache): callable => [$defer($cache),
			fn (): array => iterator_to_array($cache->getItems(array_keys(hundred())))][1],
		'hasItem' => $with(fn (AdapterInterface $cache): bool => $cache->hasItem('hit')),
		'hasItem, missing' => fn (AdapterInterface $cache): callable => fn (): bool => $cache->hasItem('absent'),
		'save' => function (AdapterInterface $cache) use ($new): callable {
			$item = $new($cache, 'saved');
			return fn (): bool => $cache->save($item);
		},
		'getItem, save' => fn (AdapterInterface $cache): callable => fn (): bool => $cache->save($new($cache, 'saved')),
		'saveDeferred 100 times, commit' => function (AdapterInterface $cache) use ($new): callable {
			$items = array_map(fn (string $key): CacheItemInterface => $new($cache, $key), hundred());
			return function () use ($cache, $items): bool {
				foreach ($items as $item) {
					$cache->saveDeferred($item);
				}
				return $cache->commit();
			};
		},
		'deleteItem, missing' => fn (AdapterInterface $cache): callable => fn (): bool => $cache->deleteItem('absent'),
		'deleteItems, 100 keys' => fn (AdapterInterface $cache): callable => fn (): bool => $cache->deleteItems(array_keys(hundred())),
	];
}

/** @return array<string, callable(AdapterInterface, TagAwareAdapterInterface, PersistingStoreInterface): callable> */
function symfony_calls(): array
{
	$row = row();
	$tagged = fn (\Closure $call): callable => function (AdapterInterface $plain, TagAwareAdapterInterface $cache) use ($call, $row): callable {
		$cache->save($cache->getItem('hit')->set($row)->tag(['a', 'b'])->expiresAfter(600));
		return fn (): mixed => $call($cache);
	};
	$compute = fn (ItemInterface $item): array => [$item->tag(['a', 'b'])->expiresAfter(600), $row][1];
	$locked = fn (\Closure $call): callable => function (AdapterInterface $plain, TagAwareAdapterInterface $cache, PersistingStoreInterface $store) use ($call): callable {
		return function () use ($store, $call): void {
			$key = new Key('lock');
			$store->save($key);
			$call($store, $key);
			$store->delete($key);
		};
	};
	return symfony_item_calls() + [
		'tags: get' => $tagged(fn (TagAwareAdapterInterface $cache): mixed => $cache->get('hit', $compute)),
		'tags: get, missing' => $tagged(fn (TagAwareAdapterInterface $cache): mixed => $cache->get(new_key(), $compute)),
		'tags: getItem' => $tagged(fn (TagAwareAdapterInterface $cache): mixed => $cache->getItem('hit')->get()),
		'tags: getItem, save' => $tagged(fn (TagAwareAdapterInterface $cache): bool => $cache->save($cache->getItem('hit')->set($row)->tag(['a', 'b'])->expiresAfter(600))),
		'tags: hasItem' => $tagged(fn (TagAwareAdapterInterface $cache): bool => $cache->hasItem('hit')),
		'tags: invalidateTags, 2 tags' => $tagged(fn (TagAwareAdapterInterface $cache): bool => $cache->invalidateTags(['a', 'b'])),
		'lock: save, delete' => $locked(fn (): bool => true),
		'lock: save, exists, extend, delete' => $locked(fn (PersistingStoreInterface $store, Key $key) => [$store->exists($key), $store->putOffExpiration($key, 60)]),
		'clear' => fn (AdapterInterface $cache): callable => fn (): bool => $cache->clear(),
	];
}

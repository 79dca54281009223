<?php
/* PSR-6 over a Cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Adapters\{Decoded, DefersItems, Written};
use McPatterns\Cache;
use Psr\Cache\{CacheItemInterface, CacheItemPoolInterface};

/**
 * A Cache with PSR-6's methods and rules. Methods never throw because of a server: reads miss and writes return false.
 * Writes also return false for a value that cannot be stored, for example because it throws during serialization.
 * Cache::stats() counts such values. Deferred items are stored by commit(), by a read of their key, or when the pool is
 * destroyed.
 *
 * With `grace: 0`, the Cache never serves a value after its TTL, as PSR-6 requires. With a grace, one of the callers
 * that find an expired item gets a miss. The others get the stale value until that caller has saved a new value, so
 * code that gets, computes and saves has no stampede. clear() requires a Cache with `clearable: true`, and otherwise
 * throws LogicException.
 */
final class CachePool implements CacheItemPoolInterface
{
	/** @use DefersItems<CacheItem> */
	use DefersItems;

	public function __construct(private readonly Cache $cache)
	{
	}

	public function getItem(string $key): CacheItem
	{
		return $this->found([$key])[$key];
	}

	/**
	 * @param array<array-key, mixed> $keys
	 * @return \Generator<string, CacheItem> whose values were read before this returns; "12" remains a string, unlike
	 *         as an array key
	 */
	public function getItems(array $keys = []): \Generator
	{
		return self::byKeys($this->found(array_values($keys)));
	}

	public function hasItem(string $key): bool
	{
		$this->commitAny([self::legal($key)]);
		return Decoded::one(fn (): bool => $this->cache->has($key), false);
	}

	public function clear(): bool
	{
		$this->deferred = [];
		return $this->cache->clear();
	}

	public function deleteItem(string $key): bool
	{
		return $this->deleteItems([$key]);
	}

	/** @param array<array-key, mixed> $keys */
	public function deleteItems(array $keys): bool
	{
		$legal = array_map(self::legal(...), array_values($keys));
		$this->undefer($legal);
		return $this->cache->deleteMultiple($legal);
	}

	public function save(CacheItemInterface $item): bool
	{
		$ours = self::ours($item);
		$this->undefer([$ours->getKey()]);
		return $this->store($ours);
	}

	public function saveDeferred(CacheItemInterface $item): bool
	{
		$this->defer(self::ours($item));
		return true;
	}

	private function store(CacheItemInterface $item): bool
	{
		$ttl = $item->remaining();
		if ($ttl !== null && $ttl <= 0) {
			return $this->cache->delete($item->getKey());
		}
		return Written::set($this->cache, $item->getKey(), $item->get(), $ttl === null ? null : Seconds::ttl($ttl));
	}

	/**
	 * @param list<mixed> $keys
	 * @return array<array-key, CacheItem>
	 */
	private function found(array $keys): array
	{
		$legal = array_map(self::legal(...), $keys);
		$this->commitAny($legal);
		$none = new \stdClass();
		$items = [];
		foreach (Decoded::many($this->cache, $legal, $none) as $key => $value) {
			$items[$key] = new CacheItem((string) $key, $value === $none ? null : $value, $value !== $none);
		}
		return $items;
	}

	/**
	 * @param array<CacheItem> $items
	 * @return \Generator<string, CacheItem>
	 */
	private static function byKeys(array $items): \Generator
	{
		foreach ($items as $item) {
			yield $item->getKey() => $item;
		}
	}

	private static function legal(mixed $key): string
	{
		$complaint = KeyRules::complaint($key);
		if ($complaint !== null || !is_string($key)) {
			throw new InvalidCacheArgument($complaint ?? '');
		}
		return $key;
	}

	private static function ours(CacheItemInterface $item): CacheItem
	{
		return $item instanceof CacheItem ? $item
			: throw new InvalidCacheArgument('An item must come from a pool of this class, ' . get_debug_type($item) . ' given');
	}
}

<?php
/* get() of Symfony's contracts, by the extension's remember(): returns a value, and computes it if it is missing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Entry, Refresh};
use Symfony\Component\Cache\CacheItem;
use Symfony\Component\Cache\Exception\InvalidArgumentException;

/**
 * @internal
 *
 * @phpstan-require-extends AbstractCacheAdapter
 */
trait ComputesItems
{
	/** The largest beta that Cache accepts. */
	private const EARLY_MAX = 1000.0;

	/** @param array<mixed>|null $metadata */
	public function get(string $key, callable $callback, ?float $beta = null, ?array &$metadata = null): mixed
	{
		CacheItem::validateKey($key);
		$this->deferred === [] || $this->commitAny([$key]);
		if (!(($beta ??= 1.0) >= 0)) {
			throw new InvalidArgumentException(sprintf('Argument "$beta" provided to "%s::get()" must be a positive number, %f given.', static::class, $beta));
		}
		$turn = new Turn($this->cache, $this->format, $key, $callback, $this->defaultLifetime);
		$beta === INF && $turn->show($this->seenBefore($key));
		$stored = $this->remember($key, $turn, $beta, $story);
		$turn->throwAnswer();
		if ($turn->isToBeGone()) {
			$this->cache->delete($this->subNamespace . $key);
		}
		if (func_num_args() > 3) {
			$metadata = $this->format->metadata($stored, $story) + $turn->trouble();
		}
		return $this->format->value($stored);
	}

	/**
	 * Prefetches values for get(), in 1 round trip per server: Cache::prefetch(). The methods of items do not use them.
	 *
	 * @param iterable<string> $keys
	 */
	public function prefetch(iterable $keys): void
	{
		$names = [];
		foreach ($keys as $key) {
			$names[] = $this->subNamespace . CacheItem::validateKey($key);
		}
		$this->cache->prefetch($names);
	}

	public function delete(string $key): bool
	{
		return $this->deleteItem($key);
	}

	/** What is to be computed whatever is there, expired for all others; the item is what the callback is to see of it. */
	private function seenBefore(string $key): CacheItem
	{
		$item = $this->getItem($key);
		$this->cache->expire($this->subNamespace . $key);
		return $item;
	}

	/** @return mixed the stored or computed value */
	private function remember(string $key, Turn $turn, float $beta, ?Entry &$entry): mixed
	{
		$tags = $this->format->isTaggable() ? [$turn, 'tagNames'] : null;
		try {
			// All arguments are positional, because PHP would evaluate the default of an omitted argument before a
			// named one at each call.
			return $this->cache->remember($this->subNamespace . $key, [$turn, 'ttl'], $turn, null, null, null, null, null,
				$beta === INF ? 0.0 : min($beta, self::EARLY_MAX), null, Refresh::Inline, $beta === INF, $entry, $tags);
		} catch (\LogicException $recursion) {
			// The callback has read its own key. It is called, as in Symfony's adapters, and the outer call's value is
			// saved.
			return $turn->hasBegun() || $recursion::class !== \LogicException::class ? throw $recursion : $turn->unsaved();
		}
	}
}

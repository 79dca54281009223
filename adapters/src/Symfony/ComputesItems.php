<?php
/* get() of Symfony's contracts, by the extension's remember(): returns a value, and computes it if it is missing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\LearnedKeys;
use McPatterns\{Cache, Entry, Refresh};
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
		$this->learned?->note($this->subNamespace . $key);
		if (!(($beta ??= 1.0) >= 0)) {
			throw new InvalidArgumentException(sprintf('Argument "$beta" provided to "%s::get()" must be a positive number, %f given.', static::class, $beta));
		}
		$tellsMetadata = func_num_args() > 3;
		$turn = new Turn($this->cache, $this->format, $key, $callback, $this->defaultLifetime, $tellsMetadata);
		$beta === INF && $turn->show($this->seenBefore($key));
		$stored = $this->remember($key, $turn, $beta, $story);
		$turn->throwAnswer();
		if ($turn->isToBeGone()) {
			$this->cache->delete($this->subNamespace . $key);
		}
		if ($tellsMetadata) {
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

	/**
	 * Reads what the last requests of the route asked get() for, and learns what this one asks for until closeRoute().
	 *
	 * @param string $route its name, without an address or a parameter
	 * @param string $except regular expression of keys that are always asked for anew
	 */
	public function openRoute(string $route, string $except = ''): void
	{
		// No item's key begins with a colon.
		$lists = new Cache($this->pool, ":page:$this->namespace:", ttl: LearnedKeys::LIFE, near: LearnedKeys::NEAR);
		$this->learned = new LearnedKeys($lists, $route, $except);
		$this->cache->prefetch($this->learned->keys());
	}

	public function closeRoute(): void
	{
		$this->learned?->close();
		$this->learned = null;
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
		$tags = $this->isTaggable ? [$turn, 'tagNames'] : null;
		try {
			// A closure, because after judging another callable, remember() reads a missing key again.
			// Every argument has its place: PHP would compile the default of one that is left out before a named one, at each call.
			return $this->cache->remember($this->subNamespace . $key, $turn->ttl(...), $turn, null, null, null, null, null,
				$beta === INF ? 0.0 : min($beta, self::EARLY_MAX), null, Refresh::Inline, $beta === INF, $entry, $tags);
		} catch (\LogicException $recursion) {
			// The callback has read its own key. It is called, as in Symfony's adapters, and the outer call's value is
			// saved.
			return $turn->hasBegun() || $recursion::class !== \LogicException::class ? throw $recursion : $turn->unsaved();
		}
	}
}

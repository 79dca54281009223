<?php
/* What Symfony's contracts say of get(): a value, computed where it is missing, by the extension's remember(). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\Decoded;
use McPatterns\{Entry, RebuildPausedException};
use Symfony\Component\Cache\CacheItem;
use Symfony\Component\Cache\Exception\InvalidArgumentException;

/**
 * @internal
 *
 * @phpstan-require-extends AbstractCacheAdapter
 */
trait ComputesItems
{
	/** The largest that Cache takes. */
	private const EARLY_MAX = 1000.0;

	/** @param array<string, mixed>|null $metadata */
	public function get(string $key, callable $callback, ?float $beta = null, ?array &$metadata = null): mixed
	{
		$this->commitAny([CacheItem::validateKey($key)]);
		if (!(($beta ??= 1.0) >= 0)) {
			throw new InvalidArgumentException(sprintf('Argument "$beta" provided to "%s::get()" must be a positive number, %f given.', static::class, $beta));
		}
		$turn = $this->turn($key, $callback, $beta === INF ? $this->seenBefore($key) : null);
		$stored = $this->remember($key, $turn, $beta, $story);
		if ($turn->isToBeGone()) {
			$this->cache->delete($this->subNamespace . $key);
		}
		$metadata = $this->metadataOf($stored, $story) + $turn->trouble();
		return $this->unwrap($stored)[0];
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

	private function turn(string $key, callable $callback, ?CacheItem $seen): Turn
	{
		$item = fn (?Entry $old): CacheItem => $seen ?? $this->itemOf($key, $old);
		return new Turn($this->cache, $callback, $this->wrap(...), $this->defaultLifetime, $item, $this->invalidations());
	}

	/** @return mixed what is stored or was computed */
	private function remember(string $key, Turn $turn, float $beta, ?Entry &$entry): mixed
	{
		$id = $this->subNamespace . $key;
		$tags = $this->isTaggable() ? fn (): array => $this->tagNames($turn->tags()) : null;
		try {
			return $this->cache->remember($id, $turn->ttl(...), $turn->compute(...), early: $beta === INF ? 0.0 : min($beta, self::EARLY_MAX),
				force: $beta === INF, entry: $entry, tags: $tags);
		} catch (RebuildPausedException $pause) {
			return $turn->hasBegun() ? throw $pause : $this->computeInAPause($key, $turn, $entry);
		}
	}

	/** Symfony knows no pause after a failure: each caller tries for itself, and what one has computed ends the pause. */
	private function computeInAPause(string $key, Turn $turn, ?Entry &$entry): mixed
	{
		$stored = $turn->compute(null);
		$ttl = $turn->ttl();
		if ($ttl !== null && $this->write($key, $this->unwrap($stored)[0], $stored, $turn->tags(), $ttl)) {
			$entry = Decoded::one(fn (): Entry => $this->cache->entry($this->subNamespace . $key), null);
		}
		return $stored;
	}
}

<?php
/* Symfony's tag-aware cache over the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use Symfony\Component\Cache\Adapter\TagAwareAdapterInterface;
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

/**
 * A CacheAdapter whose items have tags, at most 16 each, and one less for each level of a sub-namespace; more are a
 * ValueError. A value is stored beside its tags' names; a hit of one with tags is 2 round trips. invalidateTags() costs 1 for
 * each server and tag, however many items there are, and holds from when it returns, on all hosts: what get() computed before
 * is not stored after.
 */
final class TagAwareCacheAdapter extends AbstractCacheAdapter implements TagAwareAdapterInterface, TagAwareCacheInterface
{
	/** Changed by each invalidation, before its tags. No item's key has a colon in front. */
	private const INVALIDATED = ':invalidated';
	private const TAGS_AT_ONCE = 16;

	public function invalidateTags(array $tags): bool
	{
		$tags = array_values(array_unique(array_map(CacheItem::validateKey(...), $tags)));
		if ($tags === []) {
			return true;
		}
		$areInvalid = $this->cache->set(self::INVALIDATED, bin2hex(random_bytes(8)), 0);
		foreach (array_chunk(array_map($this->tagName(...), $tags), self::TAGS_AT_ONCE) as $some) {
			$areInvalid = $this->cache->invalidateTags($some, strict: true) && $areInvalid;
		}
		return $areInvalid;
	}

	protected function wrap(mixed $value, array $tags): mixed
	{
		return [$value, $tags];
	}

	protected function unwrap(mixed $stored): array
	{
		if (!is_array($stored) || array_keys($stored) !== [0, 1] || !is_array($stored[1])) {
			return [$stored, []];
		}
		return [$stored[0], array_values(array_filter($stored[1], is_string(...)))];
	}

	protected function isTaggable(): bool
	{
		return true;
	}

	protected function tagNames(array $tags): array
	{
		return array_map($this->tagName(...), $tags);
	}

	/** A tag is one of the whole pool, its sub-namespaces too. */
	private function tagName(string $tag): string
	{
		return self::tag("tag:$this->namespace:$tag");
	}

	protected function invalidations(): \Closure
	{
		return $this->invalidated(...);
	}

	private function invalidated(): string
	{
		$mark = $this->cache->peek(self::INVALIDATED);
		if (!is_string($mark)) {
			$mark = bin2hex(random_bytes(8));
			$this->cache->add(self::INVALIDATED, $mark, 0);
		}
		return $mark;
	}
}

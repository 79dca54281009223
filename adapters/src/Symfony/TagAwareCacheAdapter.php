<?php
/* Symfony's tag-aware cache over the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Cache, Pool};
use Symfony\Component\Cache\Adapter\TagAwareAdapterInterface;
use Symfony\Component\Cache\CacheItem;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

/**
 * A CacheAdapter whose items have tags. One that has more than 240 is invalidated by every invalidateTags(), whatever its
 * tags. A value is stored beside its tags' names; a hit of one with tags is 2 round trips, and 1 where this process has read it before.
 * invalidateTags() costs 1 for each server, with 1 server, up to 15 tags and Direct, however many items there are. It holds from when it returns, on all hosts:
 * what get() computed before is not stored after.
 */
final class TagAwareCacheAdapter extends AbstractCacheAdapter implements TagAwareAdapterInterface, TagAwareCacheInterface
{
	private TaggedFormat $tagged;

	public function invalidateTags(array $tags): bool
	{
		$tags = array_values(array_unique(array_map(CacheItem::validateKey(...), $tags)));
		return $tags === [] || $this->tagged->invalidate($tags);
	}

	protected function makeFormat(Pool $pool, Cache $cache, string $namespace): TaggedFormat
	{
		return $this->tagged = new TaggedFormat($pool, $cache, $namespace);
	}
}

<?php
/* What is autowired for TagAwareCacheInterface with a pool of TagAwareCacheAdapter: Symfony's own over it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\TagAwareCacheAdapter;

final class TagAwareOverTagAwareCacheAdapterTest extends TagAwareOverCacheAdapterTest
{
	protected function inner(int $ttl): TagAwareCacheAdapter
	{
		return new TagAwareCacheAdapter($this->pool, 'pool', $ttl);
	}
}

<?php
/* What Symfony makes of a pool with `tags: true`: its own TagAwareAdapter over CacheAdapter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, PoolRules, TagRules};
use Symfony\Component\Cache\Adapter\{AdapterInterface, TagAwareAdapter};

class TagAwareOverCacheAdapterTest extends MemcachedTestCase
{
	use PoolRules;
	use TagRules;

	/** It remembers no version, so that what is read is what is stored. */
	protected function anotherPool(int $ttl = 0): TagAwareAdapter
	{
		return new TagAwareAdapter($this->inner($ttl), null, 0);
	}

	protected function inner(int $ttl): AdapterInterface
	{
		return new CacheAdapter($this->pool, 'pool', $ttl);
	}
}

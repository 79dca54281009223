<?php
/* Symfony's ProxyAdapter over CacheAdapter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, PoolRules};
use Symfony\Component\Cache\Adapter\ProxyAdapter;

final class ProxyAdapterTest extends MemcachedTestCase
{
	use PoolRules;

	protected function anotherPool(int $ttl = 0): ProxyAdapter
	{
		return new ProxyAdapter(new CacheAdapter($this->pool, 'pool', $ttl), defaultLifetime: $ttl);
	}
}

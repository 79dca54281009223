<?php
/* Symfony's TraceableAdapter over CacheAdapter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, PoolRules};
use Symfony\Component\Cache\Adapter\TraceableAdapter;

final class TraceableAdapterTest extends MemcachedTestCase
{
	use PoolRules;

	protected function anotherPool(int $ttl = 0): TraceableAdapter
	{
		return new TraceableAdapter(new CacheAdapter($this->pool, 'pool', $ttl));
	}
}

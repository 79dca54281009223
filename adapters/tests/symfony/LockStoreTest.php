<?php
/* Exclusive locks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\LockStore;
use McPatterns\Adapters\Tests\Support\{LockRules, MemcachedTestCase};
use McPatterns\Pool;
use Symfony\Component\Lock\{Key, PersistingStoreInterface};

final class LockStoreTest extends MemcachedTestCase
{
	use LockRules;

	protected function store(float $initialTtl = 300.0, ?Pool $pool = null): PersistingStoreInterface
	{
		return new LockStore($pool ?? $this->pool, $initialTtl);
	}

	public function testWaitsUntilItIsFree(): void
	{
		$workers = new \Workers(2, function (int $index): float {
			$store = new LockStore($this->pool);
			$key = new Key('resource');
			usleep($index * 100_000);
			$store->waitAndSave($key);
			$got = microtime(true);
			usleep(300_000);
			$released = microtime(true);
			$store->delete($key);
			return $index === 0 ? $released : $got;
		});
		$workers->release();
		[$released, $got] = $workers->results();
		self::assertGreaterThanOrEqual($released, $got);
	}
}

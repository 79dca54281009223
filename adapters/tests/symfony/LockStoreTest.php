<?php
/* Exclusive locks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\LockStore;
use McPatterns\Adapters\Tests\Support\{LockRules, MemcachedTestCase};
use McPatterns\Pool;
use Symfony\Component\Lock\Key;

final class LockStoreTest extends MemcachedTestCase
{
	use LockRules;

	protected function store(float $initialTtl = 300.0, ?Pool $pool = null): LockStore
	{
		return new LockStore($pool ?? $this->pool, $initialTtl);
	}

	public function testAsksNoServerForAKeyThatTookNothingYet(): void
	{
		$store = $this->store(pool: new Pool('unix:///nobody/listens'));
		self::assertFalse($store->exists($key = new Key('resource')));
		self::assertSame(serialize(new Key('resource')), serialize($key));
	}

	public function testWaitsUntilItIsFree(): void
	{
		$this->store()->save($held = new Key('resource'));
		$workers = new \Workers(1, function (): float {
			$this->store()->waitAndSave(new Key('resource'));
			return microtime(true);
		});
		$workers->release();
		usleep(200_000);
		$released = microtime(true);
		$this->store()->delete($held);
		[$got] = $workers->results();
		self::assertGreaterThanOrEqual($released, $got);
	}
}

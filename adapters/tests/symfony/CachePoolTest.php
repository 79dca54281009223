<?php
/* PSR-6 by its own adapter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Psr\CachePool;
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, OwnPoolRules, Race};
use McPatterns\{Cache, Clock, Pool};
use Psr\Cache\{CacheItemInterface, InvalidArgumentException};

final class CachePoolTest extends MemcachedTestCase
{
	use OwnPoolRules;

	protected function anotherPool(int $ttl = 0): CachePool
	{
		return new CachePool($this->strictCache($ttl));
	}

	public function testCountsADeferredItemsEndFromWhenItWasChosen(): void
	{
		Clock::freeze();
		$this->items->saveDeferred($this->items->getItem('key')->set(1)->expiresAfter(10));
		Clock::advance(11);
		self::assertTrue($this->items->commit());
		self::assertFalse($this->items->hasItem('key'));
	}

	public function testDoesNotSaveWhatWasReadBeforeADeleteAndTakesThatForNoFailure(): void
	{
		$items = new CachePool($this->guardedCache());
		$item = $items->getItem('key');
		$this->deleteElsewhere('cache.key');
		self::assertTrue($items->save($item->set('old')));
		self::assertTrue($items->saveDeferred($item) && $items->commit());
		self::assertFalse($items->hasItem('key'));
		Pool::endRequest();
		self::assertTrue($items->save($items->getItem('key')->set('row')));
		self::assertSame('row', $items->getItem('key')->get());
	}

	public function testRefusesAnotherPoolsItem(): void
	{
		$this->expectException(InvalidArgumentException::class);
		$this->items->save(self::createStub(CacheItemInterface::class));
	}

	public function testIsAMissWithoutAServer(): void
	{
		$memcached = start_memcached();
		$pool = new CachePool(new Cache(new Pool($memcached->address), grace: 0, clearable: true));
		self::assertTrue($pool->save($pool->getItem('key')->set(1)));
		$memcached->kill();
		self::assertFalse($pool->getItem('key')->isHit());
		self::assertFalse($pool->hasItem('key'));
		self::assertFalse($pool->save($pool->getItem('key')->set(2)));
		self::assertTrue($pool->saveDeferred($pool->getItem('key')->set(2)));
		self::assertFalse($pool->commit());
		self::assertFalse($pool->deleteItem('key'));
		self::assertFalse($pool->clear());
	}

	public function testIsRebuiltByOneOfTwelveWhereItsCacheHasAGrace(): void
	{
		Race::assertOneComputationPerExpiry(function (Race $race): \Closure {
			$cache = new CachePool(new Cache($this->pool, ttl: 60));
			return function () use ($cache, $race): mixed {
				$item = $cache->getItem('hot');
				if (!$item->isHit()) {
					$cache->save($item->set($race->compute())->expiresAfter(Race::TTL));
				}
				return $item->get();
			};
		}, isCold: false);
	}
}

<?php
/* What Symfony's limiters ask of a storage; against the package where it is, else against its two interfaces. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\{LockStore, RateLimiterStorage};
use McPatterns\Adapters\Tests\Support\{MemcachedTestCase, ThrowsWhenRead};
use McPatterns\{Cache, Clock, Pool};
use Symfony\Component\Lock\Key;
use Symfony\Component\RateLimiter\LimiterStateInterface;

require_once __DIR__ . '/../support/rate_limiter.php';

class HitsOfVisitor implements LimiterStateInterface
{
	public function __construct(private readonly string $id, private readonly ?int $seconds, public int $hits = 0)
	{
	}

	public function getId(): string
	{
		return $this->id;
	}

	public function getExpirationTime(): ?int
	{
		return $this->seconds;
	}
}

final class RateLimiterStorageTest extends MemcachedTestCase
{
	public function testAnswersWhatWasSaved(): void
	{
		$storage = new RateLimiterStorage($this->pool);
		self::assertNull($storage->fetch('api-::1'));
		$storage->save($state = new HitsOfVisitor('api-::1', 60, 3));
		self::assertEquals($state, $storage->fetch('api-::1'));
		self::assertNull($storage->fetch('api-::2'));
		$storage->save(new HitsOfVisitor('api-::1', 60, 4));
		$found = (new RateLimiterStorage($this->pool))->fetch('api-::1');
		self::assertInstanceOf(HitsOfVisitor::class, $found);
		self::assertSame(4, $found->hits);
	}

	public function testForgetsAStateAtItsEnd(): void
	{
		Clock::freeze();
		$storage = new RateLimiterStorage($this->pool);
		$storage->save(new HitsOfVisitor('one', 10));
		$storage->save(new HitsOfVisitor('endless', null));
		Clock::advance(9);
		self::assertNotNull($storage->fetch('one'));
		Clock::advance(2);
		self::assertNull($storage->fetch('one'));
		self::assertNotNull($storage->fetch('endless'));
		$storage->save(new HitsOfVisitor('endless', 0));
		self::assertNull($storage->fetch('endless'));
	}

	public function testDeletes(): void
	{
		$storage = new RateLimiterStorage($this->pool);
		$storage->save(new HitsOfVisitor('one', 10));
		$storage->save(new HitsOfVisitor('two', 10));
		$storage->delete('one');
		$storage->delete('never there');
		self::assertNull($storage->fetch('one'));
		self::assertNotNull($storage->fetch('two'));
	}

	public function testTakesNothingElseForAState(): void
	{
		(new Cache($this->pool, 'limiter.'))->set('one', ['hits' => 3]);
		self::assertNull((new RateLimiterStorage($this->pool))->fetch('one'));
	}

	public function testTakesTheLongestTimeForALongerOne(): void
	{
		$storage = new RateLimiterStorage($this->pool);
		$storage->save(new HitsOfVisitor('one', PHP_INT_MAX));
		$storage->save(new HitsOfVisitor('two', 1_800_000_000));
		self::assertTrue($storage->fetch('one') !== null && $storage->fetch('two') !== null);
	}

	public function testHasNoStateWhereItsClassRefusesToBeStoredOrRead(): void
	{
		$storage = new RateLimiterStorage($this->pool);
		$storage->save(new class('refused', 60) extends HitsOfVisitor {});
		self::assertNull($storage->fetch('refused'));
		(new Cache($this->pool, 'limiter.'))->set('unreadable', new ThrowsWhenRead());
		self::assertNull($storage->fetch('unreadable'));
	}

	/** As Symfony's limiters do it that have a lock_factory. */
	public function testLetsInNoneTooManyOfTwelveUnderALock(): void
	{
		$let = run_workers(12, function (): int {
			[$storage, $locks] = [new RateLimiterStorage($this->pool), new LockStore($this->pool)];
			for ($let = 0, $try = 1; $try <= 20; $try++) {
				$locks->waitAndSave($key = new Key('limiter one'));
				$state = $storage->fetch('one') ?? new HitsOfVisitor('one', 60);
				self::assertInstanceOf(HitsOfVisitor::class, $state);
				if ($state->hits < 100) {
					$state->hits++;
					$let++;
					$storage->save($state);
				}
				$locks->delete($key);
			}
			return $let;
		});
		self::assertSame(100, array_sum($let));
	}

	public function testForgetsEverythingWithoutAServer(): void
	{
		$memcached = start_memcached();
		$storage = new RateLimiterStorage(new Pool($memcached->address));
		$storage->save(new HitsOfVisitor('one', 10));
		$memcached->kill();
		self::assertNull($storage->fetch('one'));
		$storage->save(new HitsOfVisitor('one', 10));
		$storage->delete('one');
		self::assertNull($storage->fetch('one'));
	}
}

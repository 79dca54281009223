<?php
/* What Symfony's lock stores document of expiry, ownership and keys, each over a real memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use McPatterns\{Clock, Pool, ServerException};
use PHPUnit\Framework\Attributes\DataProvider;
use Symfony\Component\Lock\Exception\{InvalidTtlException, LockAcquiringException, LockConflictedException, LockExpiredException, LockReleasingException, LockStorageException};
use Symfony\Component\Lock\{Key, LockFactory, PersistingStoreInterface};

trait LockRules
{
	abstract protected function store(float $initialTtl = 300.0, ?Pool $pool = null): PersistingStoreInterface;

	private static function assertConflict(\Closure $attempt): void
	{
		try {
			$attempt();
			$conflict = null;
		} catch (LockConflictedException $conflict) {
		}
		self::assertNotNull($conflict, 'no conflict');
	}

	public function testIsFreeAfterItsTtl(): void
	{
		[$first, $second] = [new Key('resource'), new Key('resource')];
		$store = $this->store(10);
		$store->save($first);
		self::assertEqualsWithDelta(10, $first->getRemainingLifetime(), 1);
		Clock::advance(9);
		self::assertTrue($this->store()->exists($first));
		self::assertConflict(fn () => $this->store()->save($second));
		Clock::advance(1.1);
		self::assertFalse($store->exists($first));
		Clock::advance(1);
		$this->store()->save($second);
		self::assertTrue($this->store()->exists($second));
		self::assertFalse($this->store()->exists($first));
	}

	public function testPutsItsEndOff(): void
	{
		$store = $this->store(10);
		$key = new Key('resource');
		$store->save($key);
		$key->resetLifetime();
		$store->putOffExpiration($key, 60.5);
		self::assertEqualsWithDelta(60.5, $key->getRemainingLifetime(), 1);
		Clock::advance(60);
		self::assertTrue($store->exists($key));
		Clock::advance(1);
		self::assertFalse($store->exists($key));
	}

	public function testPutsNothingOffThatIsNotHeld(): void
	{
		$store = $this->store(10);
		$key = new Key('resource');
		self::assertConflict(fn () => $store->putOffExpiration($key, 60));
		$store->save(new Key('resource'));
		self::assertConflict(fn () => $store->putOffExpiration($key, 60));
		$lost = new Key('lost');
		$store->save($lost);
		Clock::advance(12);
		$store->save($other = new Key('lost'));
		self::assertConflict(fn () => $store->putOffExpiration($lost, 60));
		self::assertTrue($store->exists($other));
	}

	public function testGivesUpWhatHasExpiredMeanwhile(): void
	{
		$store = $this->store();
		$key = new Key('resource');
		$store->save($key);
		try {
			$store->putOffExpiration($key, 0.000_001);
			self::fail('no exception');
		} catch (LockExpiredException) {
			self::assertFalse($store->exists($key));
		}
	}

	/** @return iterable<array{float}> */
	public static function wrongTtls(): iterable
	{
		yield [0.0];
		yield [-1.0];
		yield [NAN];
		yield [INF];
		yield [-INF];
	}

	#[DataProvider('wrongTtls')]
	public function testRefusesATtlThatIsNone(float $ttl): void
	{
		$store = $this->store(10);
		$store->save($key = new Key('resource'));
		try {
			$store->putOffExpiration($key, $ttl);
			self::fail('no exception');
		} catch (InvalidTtlException) {
			self::assertTrue($store->exists($key));
			self::assertEqualsWithDelta(10, $key->getRemainingLifetime(), 1);
		}
		$this->expectException(InvalidTtlException::class);
		$this->store($ttl);
	}

	public function testTakesTheLongestTtlForALongerOne(): void
	{
		$store = $this->store(1e300);
		$store->save($key = new Key('resource'));
		$store->putOffExpiration($key, 1e300);
		self::assertTrue($store->exists($key));
	}

	public function testNeverReleasesAnothersLock(): void
	{
		$store = $this->store();
		$store->save($mine = new Key('resource'));
		$this->store()->delete(new Key('resource'));
		self::assertTrue($store->exists($mine));
	}

	public function testFollowsASerializedKeyIntoAnotherProcess(): void
	{
		$store = $this->store(20);
		$store->save($key = new Key('resource'));
		$sent = serialize($key);
		$seen = run_workers(1, function () use ($sent): array {
			$key = unserialize($sent);
			$store = $this->store(20);
			$isThere = $store->exists($key);
			$store->save($key);
			$store->putOffExpiration($key, 100);
			return [$isThere, $store->exists($key)];
		});
		self::assertSame([[true, true]], $seen);
		Clock::advance(90);
		self::assertConflict(fn () => $this->store()->save(new Key('resource')));
		run_workers(1, fn () => $this->store()->delete(unserialize($sent)));
		$this->store()->save(new Key('resource'));
	}

	public function testSharesALockWithACopyOfItsKey(): void
	{
		[$here, $there] = [$this->store(20), $this->store(20)];
		$here->save($key = new Key('resource'));
		$there->putOffExpiration($copy = unserialize(serialize($key)), 100);
		self::assertTrue($here->exists($key));
		$key->resetLifetime();
		$here->putOffExpiration($key, 100);
		self::assertTrue($there->exists($copy));
		$there->save($copy);
		$here->save($key);
		self::assertTrue($here->exists($key));
		$there->save($copy);
		$here->delete($key);
		self::assertFalse($there->exists($copy));
		$this->store()->save(new Key('resource'));
	}

	public function testKeepsALockWhenItsProcessEnds(): void
	{
		run_workers(1, fn () => $this->store()->save(new Key('resource')));
		self::assertConflict(fn () => $this->store()->save(new Key('resource')));
	}

	public function testServesSymfonysFactory(): void
	{
		$factory = new LockFactory($this->store());
		[$first, $second] = [$factory->createLock('resource', 30), $factory->createLock('resource', 30)];
		self::assertTrue($first->acquire());
		self::assertTrue($first->isAcquired());
		self::assertFalse($second->acquire());
		$first->refresh(60);
		self::assertEqualsWithDelta(60, $first->getRemainingLifetime(), 1);
		$first->release();
		self::assertTrue($second->acquire());
		unset($second);
		self::assertTrue($first->acquire(), 'released by its destructor');
	}

	public function testSaysThatAServerDidNotAnswer(): void
	{
		$memcached = start_memcached();
		$store = $this->store(pool: new Pool($memcached->address));
		$store->save($key = new Key('resource'));
		$memcached->kill();
		foreach ([
			LockAcquiringException::class => fn () => $store->save(new Key('other')), LockStorageException::class => fn () => $store->exists($key),
			LockReleasingException::class => fn () => $store->delete($key),
		] as $exception => $call) {
			try {
				$call();
				self::fail("no $exception");
			} catch (LockAcquiringException|LockReleasingException|LockStorageException $thrown) {
				self::assertInstanceOf(ServerException::class, $thrown->getPrevious());
			}
		}
	}

	public function testIsHeldByOneOfTwelve(): void
	{
		$journal = (string) tempnam(sys_get_temp_dir(), 'lock');
		$held = run_workers(12, function () use ($journal): int {
			$store = $this->store();
			// A second, and on a busy machine as long as it takes each of them to have had it.
			for ($held = 0, $end = microtime(true) + 1; microtime(true) < $end || ($held < 2 && microtime(true) < $end + 30);) {
				$key = new Key('resource');
				try {
					$store->save($key);
				} catch (LockConflictedException) {
					usleep(1000);
					continue;
				}
				$held++;
				self::assertSame(0, filesize($journal));
				file_put_contents($journal, 'held');
				usleep(500);
				file_put_contents($journal, '');
				clearstatcache();
				$store->delete($key);
			}
			return $held;
		});
		unlink($journal);
		self::assertGreaterThan(12, array_sum($held));
	}
}

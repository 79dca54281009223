<?php
/* Drupal's contract of locks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Drupal;

use McPatterns\Adapters\Drupal\LockBackend;
use McPatterns\{Clock, Pool, ServerException};

final class LockBackendTest extends DrupalTestCase
{
	public function testIsHeldByOneRequest(): void
	{
		[$one, $other] = [new LockBackend($this->pool), new LockBackend($this->pool)];
		self::assertTrue($other->lockMayBeAvailable('name'));
		self::assertTrue($one->acquire('name'));
		self::assertFalse($other->acquire('name'));
		self::assertFalse($other->lockMayBeAvailable('name'));
		self::assertTrue($other->acquire('another name'));
		$other->release('name');
		self::assertFalse($other->acquire('name'), 'was not its own');
		$one->release('name');
		self::assertTrue($other->acquire('name'));
		self::assertNotSame($one->getLockId(), $other->getLockId());
	}

	public function testStartsItsTimeoutAgain(): void
	{
		[$one, $other] = [new LockBackend($this->pool), new LockBackend($this->pool)];
		self::assertTrue($one->acquire('name', 10));
		Clock::advance(8);
		self::assertTrue($one->acquire('name', 10));
		Clock::advance(8);
		self::assertFalse($other->acquire('name'));
		Clock::advance(4);
		self::assertTrue($other->acquire('name'), 'the timeout is over');
		self::assertFalse($one->acquire('name'), 'another request has it');
		$one->release('name');
		self::assertFalse($one->lockMayBeAvailable('name'));
		self::assertIsBool($one->acquire('none', 0.0), 'no exception; on a busy machine its millisecond is over before the reply');
	}

	public function testTakesAnyName(): void
	{
		$lock = new LockBackend($this->pool);
		foreach ([str_repeat('long', 100), 'ünïcode', '12', 'a b'] as $name) {
			self::assertTrue($lock->acquire($name));
			self::assertFalse($lock->lockMayBeAvailable($name));
			$lock->release($name);
			self::assertTrue($lock->lockMayBeAvailable($name));
		}
	}

	public function testReleasesAllOfItsOwn(): void
	{
		[$one, $other] = [new LockBackend($this->pool), new LockBackend($this->pool)];
		self::assertTrue($one->acquire('a') && $one->acquire('12') && $other->acquire('b'));
		$one->releaseAll('of another request');
		self::assertFalse($other->lockMayBeAvailable('a'));
		$one->releaseAll();
		self::assertTrue($other->lockMayBeAvailable('a') && $other->lockMayBeAvailable('12'));
		self::assertFalse($one->lockMayBeAvailable('b'));
		$other->releaseAll($other->getLockId());
		self::assertTrue($one->lockMayBeAvailable('b'));
	}

	public function testEndsWithTheRequest(): void
	{
		$lock = new LockBackend($this->pool);
		self::assertTrue($lock->acquire('name'));
		unset($lock);
		self::assertTrue((new LockBackend($this->pool))->lockMayBeAvailable('name'));
	}

	public function testAPersistentLockStaysUntilAnyRequestReleasesIt(): void
	{
		$lock = new LockBackend($this->pool, true);
		self::assertTrue($lock->acquire('name'));
		unset($lock);
		$next = new LockBackend($this->pool, true);
		self::assertSame('persistent', $next->getLockId());
		self::assertFalse($next->acquire('name'));
		$next->release('name');
		self::assertTrue($next->acquire('name'));
	}

	public function testWaits(): void
	{
		Clock::unfreeze();
		[$one, $other] = [new LockBackend($this->pool), new LockBackend($this->pool)];
		self::assertTrue($one->acquire('name'));
		self::assertTrue($other->wait('name', 1));
		$one->release('name');
		self::assertFalse($other->wait('name', 1));
	}

	public function testSaysThatItCouldNotAsk(): void
	{
		$this->expectException(ServerException::class);
		(new LockBackend(new Pool('127.0.0.1:1')))->acquire('name');
	}
}

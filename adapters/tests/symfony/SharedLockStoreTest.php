<?php
/* Locks that are exclusive or shared. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\SharedLockStore;
use McPatterns\Adapters\Tests\Support\{LockRules, MemcachedTestCase};
use McPatterns\{Clock, Lock, Pool, Semaphore, ServerException};
use Symfony\Component\Lock\Exception\{InvalidArgumentException, InvalidTtlException, LockAcquiringException, LockConflictedException, LockStorageException, UnserializableKeyException};
use Symfony\Component\Lock\{Key, LockFactory};

final class SharedLockStoreTest extends MemcachedTestCase
{
	use LockRules;

	protected function store(float $initialTtl = 300.0, ?Pool $pool = null): SharedLockStore
	{
		return new SharedLockStore($pool ?? $this->pool, $initialTtl, readers: 14);
	}

	public function testLetsReadersInTogetherAndNoWriter(): void
	{
		$store = $this->store();
		$store->saveRead($one = new Key('resource'));
		$this->store()->saveRead($two = new Key('resource'));
		self::assertTrue($store->exists($one));
		self::assertFalse($store->exists($two), 'of another store');
		self::assertConflict(fn () => $store->save(new Key('resource')));
		self::assertTrue($store->exists($one));
		$store->delete($one);
		self::assertFalse($store->exists($one));
		self::assertConflict(fn () => $store->save(new Key('resource')));
	}

	public function testLetsAWriterInWhenTheLastReaderIsGone(): void
	{
		$store = $this->store();
		$keys = array_map(fn () => new Key('resource'), range(1, 3));
		array_map($store->saveRead(...), $keys);
		array_map($store->delete(...), $keys);
		$store->save($writer = new Key('resource'));
		self::assertConflict(fn () => $store->saveRead($keys[0]));
		self::assertFalse($store->exists($keys[0]));
		self::assertTrue($store->exists($writer));
		$store->delete($writer);
		$store->saveRead($keys[0]);
	}

	public function testTurnsAReaderIntoAWriterAndBack(): void
	{
		$store = $this->store();
		$store->saveRead($key = new Key('resource'));
		$store->saveRead($other = new Key('resource'));
		self::assertConflict(fn () => $store->save($key));
		self::assertTrue($store->exists($key), 'still a reader');
		$store->delete($other);
		$store->save($key);
		self::assertConflict(fn () => $store->saveRead($other));
		$store->saveRead($key);
		$store->saveRead($other);
		self::assertConflict(fn () => $store->save(new Key('resource')));
	}

	public function testKeepsNothingWhenItCouldNotAskForTheOtherKind(): void
	{
		$servers = [start_memcached(), start_memcached()];
		$pool = new Pool(array_column($servers, 'address'));
		$servers[0]->kill();
		$store = $this->store(pool: $pool);
		$halves = 0;
		foreach (range(1, 60) as $number) {
			$name = "resource $number";
			try {
				$number % 2 ? $store->save(new Key($name)) : $store->saveRead(new Key($name));
			} catch (LockAcquiringException|LockStorageException) {
			}
			$isLocked = self::unlessDown(fn () => (new Lock($pool, $name))->isLocked());
			$permits = self::unlessDown(fn () => (new Semaphore($pool, $name, 14))->available());
			if (($isLocked === null) !== ($permits === null)) {
				$halves++;
				self::assertSame([false, 14], [$isLocked ?? false, $permits ?? 14], $name);
			}
		}
		self::assertGreaterThan(0, $halves, 'names whose lock is on one server, and the permits on the other');
	}

	/** Null when the server does not answer. */
	private static function unlessDown(\Closure $ask): mixed
	{
		try {
			return $ask();
		} catch (ServerException) {
			return null;
		}
	}

	public function testEndsAReadersLockByItsTtl(): void
	{
		$store = $this->store(10);
		$store->saveRead($key = new Key('resource'));
		self::assertEqualsWithDelta(10, $key->getRemainingLifetime(), 1);
		$key->resetLifetime();
		$store->putOffExpiration($key, 30);
		Clock::advance(29);
		self::assertTrue($store->exists($key));
		self::assertConflict(fn () => $store->save(new Key('resource')));
		Clock::advance(2.2);
		self::assertFalse($store->exists($key));
		self::assertConflict(fn () => $store->putOffExpiration($key, 30));
		$store->save(new Key('resource'));
	}

	public function testRefusesOneReaderTooMany(): void
	{
		$store = $this->store();
		foreach ($keys = array_map(fn () => new Key('resource'), range(1, 14)) as $key) {
			$store->saveRead($key);
		}
		self::assertConflict(fn () => $store->saveRead(new Key('resource')));
		$store->saveRead($keys[0]);
		self::assertTrue($store->exists($keys[0]));
	}

	public function testRefusesANumberOfReadersThatIsNone(): void
	{
		foreach ([0, 1001] as $readers) {
			try {
				new SharedLockStore($this->pool, readers: $readers);
				self::fail("took $readers");
			} catch (InvalidArgumentException $refusal) {
				self::assertStringContainsString("1 to 1000 readers, got $readers", $refusal->getMessage());
			}
		}
	}

	public function testRefusesATtlThatIsNoneForAReader(): void
	{
		$store = $this->store();
		$store->saveRead($key = new Key('resource'));
		foreach ([0.0, NAN, INF] as $ttl) {
			try {
				$store->putOffExpiration($key, $ttl);
				self::fail("took $ttl");
			} catch (InvalidTtlException) {
				self::assertTrue($store->exists($key));
			}
		}
	}

	public function testDoesNotLetAReadersKeyLeave(): void
	{
		$this->store()->saveRead($key = new Key('resource'));
		$this->expectException(UnserializableKeyException::class);
		serialize($key);
	}

	public function testServesSymfonysSharedLocks(): void
	{
		$factory = new LockFactory($this->store());
		[$one, $two, $writer] = [$factory->createLock('r', 30), $factory->createLock('r', 30), $factory->createLock('r', 30)];
		self::assertTrue($one->acquireRead() && $two->acquireRead());
		self::assertFalse($writer->acquire());
		$one->release();
		$two->release();
		self::assertTrue($writer->acquire());
		self::assertFalse($one->acquireRead());
	}

	public function testNeverHasAReaderBesideAWriter(): void
	{
		$board = (string) tempnam(sys_get_temp_dir(), 'board');
		$counts = run_workers(12, function (int $index) use ($board): array {
			$store = $this->store();
			$isWriter = $index < 4;
			for ($done = 0, $end = microtime(true) + 1.5; microtime(true) < $end;) {
				$key = new Key('resource');
				try {
					$isWriter ? $store->save($key) : $store->saveRead($key);
				} catch (LockConflictedException) {
					usleep(random_int(500, 3000));
					continue;
				}
				$file = fopen($board, 'r');
				self::assertTrue(flock($file, ($isWriter ? LOCK_EX : LOCK_SH) | LOCK_NB), 'the other kind is inside, too');
				usleep(300);
				fclose($file);
				$store->delete($key);
				$done++;
				usleep(random_int(500, 3000));
			}
			return [$isWriter, $done];
		});
		unlink($board);
		foreach ([true, false] as $isWriter) {
			self::assertGreaterThan(0, array_sum(array_column(array_filter($counts, fn (array $count) => $count[0] === $isWriter), 1)));
		}
	}
}

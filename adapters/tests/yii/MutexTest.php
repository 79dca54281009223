<?php
/* Yii's mutex component over the adapter. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Yii;

use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\Adapters\Yii\Mutex;
use McPatterns\{Clock, ServerException};
use Yii;

final class MutexTest extends MemcachedTestCase
{
	private string $prefix;

	protected function setUp(): void
	{
		parent::setUp();
		$this->prefix = bin2hex(random_bytes(6)) . '.';
	}

	/** @param array<string, mixed> $properties */
	private function mutex(array $properties = []): Mutex
	{
		return Yii::createObject($properties + ['class' => Mutex::class, 'servers' => self::$memcached->address, 'keyPrefix' => $this->prefix, 'options' => ['timeout' => 5]]);
	}

	public function testOneOfTwoHasIt(): void
	{
		[$one, $two] = [$this->mutex(), $this->mutex()];
		foreach (['name', str_repeat('long ', 2000), "ключ\r\n😱"] as $name) {
			self::assertSame([false, true, false], [$one->isAcquired($name), $one->acquire($name), $one->acquire($name)]);
			self::assertSame([true, false, false], [$one->isAcquired($name), $two->acquire($name), $two->isAcquired($name)]);
			self::assertSame([false, true, false], [$two->release($name), $one->release($name), $one->release($name)]);
			self::assertSame([false, true, true], [$one->isAcquired($name), $two->acquire($name), $two->release($name)]);
		}
	}

	public function testNamesAndPrefixesAreApart(): void
	{
		$one = $this->mutex();
		self::assertTrue($one->acquire('a') && $one->acquire('b') && $this->mutex(['keyPrefix' => "other.$this->prefix"])->acquire('a'));
	}

	public function testWaitsForTheHolder(): void
	{
		$one = $this->mutex();
		$one->acquire('name');
		$began = microtime(true);
		$workers = new \Workers(1, fn (): array => [$this->mutex()->acquire('name', 5), microtime(true)]);
		$workers->release();
		usleep(300_000);
		$one->release('name');
		[[$isAcquired, $at]] = $workers->results();
		self::assertTrue($isAcquired);
		self::assertGreaterThanOrEqual(0.3, $at - $began);
		self::assertLessThan(4, $at - $began);
	}

	public function testTheWaitHasAnEnd(): void
	{
		$held = $this->mutex();
		$held->acquire('held');
		$began = microtime(true);
		self::assertSame([false], run_workers(1, fn (): bool => $this->mutex()->acquire('held', 1)));
		self::assertGreaterThanOrEqual(1, microtime(true) - $began);
	}

	public function testProcessesTakeTurns(): void
	{
		$file = (string) tempnam(sys_get_temp_dir(), 'mutex');
		file_put_contents($file, '0');
		run_workers(4, function () use ($file): void {
			$mutex = $this->mutex();
			for ($turn = 0; $turn < 10; $turn++) {
				if ($mutex->acquire('turn', 20)) {
					file_put_contents($file, (int) file_get_contents($file) + 1);
					$mutex->release('turn');
				}
			}
		});
		self::assertSame('40', file_get_contents($file));
		unlink($file);
	}

	public function testAProcessThatEndsReleasesWhatItHolds(): void
	{
		run_workers(1, function (): void {
			$GLOBALS['mutex'] = $this->mutex();
			self::assertTrue($GLOBALS['mutex']->acquire('kept by an exit'));
		});
		self::assertTrue($this->mutex()->acquire('kept by an exit', 1));
		run_workers(1, function (): void {
			$GLOBALS['mutex'] = $this->mutex(['autoRelease' => false]);
			self::assertTrue($GLOBALS['mutex']->acquire('left'));
		});
		self::assertFalse($this->mutex()->acquire('left'));
	}

	public function testAnExpiredLockIsNotHeldAndCanBeAcquiredAgain(): void
	{
		Clock::freeze();
		[$one, $two] = [$this->mutex(['expire' => 10]), $this->mutex()];
		$one->acquire('name');
		Clock::advance(12);
		self::assertSame([false, true], [$one->isAcquired('name'), $two->acquire('name')]);
		self::assertSame([false, true], [$one->release('name'), $two->isAcquired('name')]);
		self::assertSame([true, true], [$two->release('name'), $one->acquire('name')]);
	}

	public function testAServerThatIsDownIsNoRefusal(): void
	{
		$memcached = start_memcached();
		$mutex = $this->mutex(['servers' => $memcached->address]);
		$memcached->kill();
		$this->expectException(ServerException::class);
		$mutex->acquire('name');
	}

	public function testRefusesAnUnknownOption(): void
	{
		$this->expectExceptionMessage("The mutex component's option 'ttl' is unknown to mcpatterns.");
		$this->mutex(['options' => ['ttl' => 5]]);
	}
}

<?php
/* Cache::lock(), restoreLock(), withoutOverlapping() and funnel(). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\Limiters\LimiterTimeoutException;
use Illuminate\Contracts\Cache\{CanFlushLocks, LockTimeoutException, Repository};
use Illuminate\Support\Facades\Cache;
use McPatterns\Adapters\Laravel\Store;
use McPatterns\{Clock, LockLostException, ServerException};
use RuntimeException;

final class LockTest extends LaravelTestCase
{
	public function testExcludes(): void
	{
		$lock = Cache::lock('name', 10);
		self::assertTrue($lock->get());
		self::assertFalse($lock->get());
		self::assertFalse(Cache::lock('name', 10)->get());
		self::assertFalse(Cache::lock('name', 10)->get(fn () => self::fail('run without the lock')));
		self::assertTrue(Cache::lock('other', 10)->get());
		self::assertTrue($lock->release());
		self::assertFalse($lock->release());
		self::assertTrue(Cache::lock('name', 10)->get());
	}

	public function testStaysWhenTheObjectIsGone(): void
	{
		Cache::lock('name', 10)->get();
		gc_collect_cycles();
		self::assertFalse(Cache::lock('name', 10)->get());
	}

	public function testEndsAfterItsSeconds(): void
	{
		Clock::freeze();
		self::assertTrue(Cache::lock('name', 10)->get());
		Clock::advance(9);
		self::assertFalse(Cache::lock('name', 10)->get());
		Clock::advance(2.001);
		self::assertTrue(Cache::lock('name', 10)->get());
	}

	public function testHasNoEndWithoutSeconds(): void
	{
		Clock::freeze();
		self::assertTrue(Cache::lock('name')->get());
		Clock::advance(86400);
		self::assertFalse(Cache::lock('name')->get());
	}

	public function testRunsAndGivesBack(): void
	{
		self::assertSame('result', Cache::lock('name', 10)->get(function () {
			self::assertFalse(Cache::lock('name', 10)->get());
			return 'result';
		}));
		self::assertNull(Cache::lock('name', 10)->block(1, fn () => null));
		try {
			Cache::lock('name', 10)->get(fn () => throw new \DomainException('from the work'));
			self::fail('nothing was thrown');
		} catch (\DomainException) {
		}
		self::assertTrue(Cache::lock('name', 10)->get());
	}

	public function testAnswersWhatWasComputedUnderALockThatRanOut(): void
	{
		Clock::freeze();
		self::assertSame('result', Cache::lock('name', 10)->get(function () {
			Clock::advance(20);
			self::assertTrue(Cache::lock('name', 10)->get());
			return 'result';
		}));
		self::assertFalse(Cache::lock('name', 10)->get(), "another's lock was freed");
	}

	public function testThrowsWhatTheWorkThrowsAlsoWhenItIsOfALock(): void
	{
		$this->expectException(LockLostException::class);
		Cache::lock('name', 10)->get(fn () => throw new LockLostException('from the work'));
	}

	public function testATimeoutOfTheWorkIsNotItsOwn(): void
	{
		Cache::lock('inner', 10)->get();
		$this->expectException(LockTimeoutException::class);
		Cache::lock('name', 10)->get(fn () => Cache::lock('inner', 10)->block(0));
	}

	public function testHasBeenReleasedElsewhere(): void
	{
		$lock = Cache::lock('name', 10);
		$lock->get();
		Cache::restoreLock('name', $lock->owner())->release();
		self::assertTrue($lock->get());
		Cache::lock('name')->forceRelease();
		self::assertTrue($lock->block(-1));
		Cache::lock('name')->forceRelease();
		self::assertSame('result', $lock->get(fn () => 'result'));
		self::assertFalse(Cache::lock('name')->isLocked());
	}

	public function testHasBeenRefreshedElsewhere(): void
	{
		$lock = Cache::lock('name', 10);
		$elsewhere = Cache::restoreLock('name', $lock->owner());
		$lock->get();
		self::assertTrue($elsewhere->refresh(300));
		self::assertTrue($lock->refresh(20));
		self::assertTrue($elsewhere->refresh(300));
		self::assertTrue($lock->release());
		self::assertFalse($lock->isLocked());
		self::assertTrue($lock->get(fn () => $elsewhere->refresh(300)));
		self::assertFalse($lock->isLocked());
		try {
			$lock->block(1, fn () => $elsewhere->refresh(300) && throw new \DomainException('from the work'));
			self::fail('nothing was thrown');
		} catch (\DomainException) {
		}
		self::assertFalse($lock->isLocked());
	}

	public function testWaits(): void
	{
		Clock::freeze();
		$held = Cache::lock('name', 3);
		$held->get();
		self::assertTrue(Cache::lock('name', 3)->block(5), 'free after its seconds and one more');
		$began = Clock::now();
		try {
			Cache::lock('name', 10)->block(2);
			self::fail('two holders');
		} catch (LockTimeoutException) {
			self::assertEqualsWithDelta(2, Clock::now() - $began, 0.2);
		}
		$this->expectException(LockTimeoutException::class);
		Cache::lock('name', 10)->block(1, fn () => self::fail('run without the lock'));
	}

	public function testIsReleasedByItsOwnersNameAnywhere(): void
	{
		$lock = Cache::lock('name', 10);
		$lock->get();
		self::assertFalse(Cache::restoreLock('name', 'somebody else')->release());
		self::assertTrue(Cache::restoreLock('name', $lock->owner())->release());
		self::assertFalse($lock->release());
		self::assertTrue(Cache::lock('name', 10, 'job 7')->get());
		self::assertFalse(Cache::lock('name', 10, 'job 7')->get(), 'the owner alone is no second holder');
		self::assertTrue(Cache::lock('name', 10, 'job 7')->release());
	}

	public function testKnowsItsOwner(): void
	{
		$lock = Cache::lock('name', 10, 'me');
		self::assertFalse($lock->isOwnedByCurrentProcess());
		$lock->get();
		self::assertSame('me', $lock->owner());
		self::assertTrue($lock->isOwnedByCurrentProcess());
		self::assertTrue(Cache::restoreLock('name', 'me')->isOwnedByCurrentProcess());
		self::assertFalse(Cache::lock('name', 10)->isOwnedByCurrentProcess());
		self::assertTrue(Cache::lock('name', 10)->isOwnedBy('me'));
		$lock->release();
		self::assertFalse($lock->isOwnedByCurrentProcess());
		self::assertTrue(Cache::lock('name')->isOwnedBy(null));
	}

	public function testIsReleasedByForce(): void
	{
		$lock = Cache::lock('name', 10);
		$lock->get();
		Cache::lock('name')->forceRelease();
		self::assertFalse($lock->isOwnedByCurrentProcess());
		self::assertTrue(Cache::lock('name', 10)->get());
		self::assertFalse($lock->release());
	}

	public function testRefreshes(): void
	{
		Clock::freeze();
		$lock = Cache::lock('name', 10);
		self::assertFalse($lock->refresh());
		$lock->get();
		Clock::advance(8);
		self::assertTrue($lock->refresh());
		Clock::advance(8);
		self::assertTrue(Cache::restoreLock('name', $lock->owner())->refresh(60));
		Clock::advance(50);
		self::assertFalse(Cache::lock('name', 10)->get());
		self::assertFalse(Cache::restoreLock('name', 'somebody else')->refresh(60));
	}

	public function testHasAFencingToken(): void
	{
		$first = Cache::lock('name', 10);
		$first->get();
		$token = $first->token();
		$first->release();
		$second = Cache::lock('name', 10);
		$second->get();
		self::assertGreaterThan($token, $second->token());
	}

	public function testSurvivesAFlush(): void
	{
		Cache::lock('name', 10)->get();
		Cache::put('name', 'a value of the same name', 60);
		Cache::flush();
		self::assertFalse(Cache::lock('name', 10)->get());
	}

	public function testFlushesLocksOfServersOfTheirOwn(): void
	{
		$servers = start_memcached();
		$app = $this->application(['lock_servers' => $servers->address]);
		$store = $app->make('cache')->store()->getStore();
		self::assertInstanceOf(Store::class, $store);
		if (interface_exists(CanFlushLocks::class)) {
			self::assertInstanceOf(CanFlushLocks::class, $store);
		}
		$cache = $app->make('cache')->store();
		$cache->put('key', 'value');
		$lock = $cache->lock('name', 10);
		self::assertTrue($lock->get());
		self::assertTrue($cache->funnel('few')->limit(1)->releaseAfter(60)->block(0)->then(function () use ($cache, $store): bool {
			$busy = fn (): bool => $cache->funnel('few')->limit(1)->block(0)->then(fn () => false, fn () => true);
			self::assertTrue($busy());
			self::assertTrue($store->flushLocks());
			return !$busy();
		}));
		self::assertTrue($store->hasSeparateLockStore());
		self::assertTrue($cache->lock('name', 10)->get(), 'another one has it now');
		self::assertFalse($lock->release());
		self::assertSame('value', $cache->get('key'));
		$servers->dispose();
	}

	public function testFlushesNoLocksWhereTheValuesAre(): void
	{
		foreach ([[], ['lock_servers' => self::$memcached->address]] as $settings) {
			$cache = $this->application($settings)->make('cache')->store();
			$store = $cache->getStore();
			self::assertInstanceOf(Store::class, $store);
			$cache->put('key', 'value');
			self::assertFalse($store->hasSeparateLockStore());
			try {
				$store->flushLocks();
				self::fail('flushed');
			} catch (RuntimeException $refusal) {
				self::assertStringContainsString("set 'lock_servers'", $refusal->getMessage());
			}
			self::assertSame('value', $cache->get('key'));
		}
	}

	public function testKnowsWhetherItIsLocked(): void
	{
		$lock = Cache::lock('name', 10);
		self::assertFalse($lock->isLocked());
		Cache::lock('name', 10)->get();
		self::assertTrue($lock->isLocked());
	}

	public function testSaysThatItCouldNotAsk(): void
	{
		$cache = $this->application(['servers' => 'unix:///there/is/none', 'log' => false])->make('cache');
		$this->expectException(ServerException::class);
		$cache->lock('name', 10)->get();
	}

	public function testKeepsWorkFromOverlapping(): void
	{
		$overlap = fn () => Cache::withoutOverlapping('name', fn () => self::fail('overlaps'), lockFor: 10, waitFor: 0);
		self::assertSame('refused', Cache::withoutOverlapping('name', function () use ($overlap) {
			try {
				return $overlap();
			} catch (LockTimeoutException) {
				return 'refused';
			}
		}));
	}

	public function testFunnels(): void
	{
		$inside = [];
		$enter = function (int $deep) use (&$enter, &$inside): string {
			return Cache::funnel('name')->limit(3)->releaseAfter(60)->block(0)->then(
				function () use ($deep, $enter, &$inside): string {
					$inside[] = $deep;
					return $enter($deep + 1);
				},
				fn (LimiterTimeoutException $failure) => "refused at $deep",
			);
		};
		self::assertSame('refused at 3', $enter(0));
		self::assertSame([0, 1, 2], $inside);
		self::assertSame('refused at 3', $enter(0), 'permits come back');
		try {
			Cache::funnel('name')->limit(1)->then(fn () => throw new \DomainException('from the work'));
			self::fail('nothing was thrown');
		} catch (\DomainException) {
		}
		self::assertSame(1, Cache::memo()->funnel('name')->limit(1)->block(0)->then(fn () => 1));
	}

	public function testAFunnelThrowsWithoutAFailureCallback(): void
	{
		Cache::funnel('name')->limit(1)->block(0)->then(function () {
			$this->expectException(LimiterTimeoutException::class);
			Cache::funnel('name')->limit(1)->block(0)->then(fn () => self::fail('two at a time'));
		});
	}

	public function testIsHeldByOneOfTwelve(): void
	{
		self::assertSame([1, 120], $this->mostAtATime(fn (Repository $cache, \Closure $work) => $cache->lock('name', 60)->block(60, $work)));
	}

	public function testAFunnelLetsInThreeOfTwelve(): void
	{
		[$most, $done] = $this->mostAtATime(fn (Repository $cache, \Closure $work) => $cache->funnel('name')->limit(3)->releaseAfter(60)->block(60)->then($work));
		self::assertSame(120, $done);
		self::assertLessThanOrEqual(3, $most);
		self::assertGreaterThan(1, $most, 'no two at a time');
	}

	/**
	 * @param \Closure(Repository, \Closure): mixed $enter
	 * @return array{int, int} how many of 12 processes were inside at a time, at most; how often they were
	 */
	private function mostAtATime(\Closure $enter): array
	{
		$journal = (string) tempnam(sys_get_temp_dir(), 'inside');
		run_workers(12, function () use ($enter, $journal): void {
			$cache = $this->application()->make('cache')->store();
			for ($try = 1; $try <= 10; $try++) {
				$enter($cache, function () use ($journal): void {
					file_put_contents($journal, '+', FILE_APPEND);
					usleep(2000);
					file_put_contents($journal, '-', FILE_APPEND);
				});
			}
		}, 90);
		$steps = array_map(fn (string $step): int => $step === '+' ? 1 : -1, str_split((string) file_get_contents($journal)));
		unlink($journal);
		[$inside, $most] = [0, 0];
		foreach ($steps as $step) {
			$most = max($most, $inside += $step);
		}
		return [$most, intdiv(count($steps), 2)];
	}
}

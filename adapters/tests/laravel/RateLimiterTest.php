<?php
/* Laravel's RateLimiter, which counts by add() and increment() of the store. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\Events\WritingKey;
use Illuminate\Support\Facades\{Cache, Event, RateLimiter};
use McPatterns\Adapters\Laravel\RateLimiter as Ours;
use McPatterns\Clock;

final class RateLimiterTest extends LaravelTestCase
{
	public function testLimitsAttempts(): void
	{
		foreach (['first', 'second', 'third'] as $attempt) {
			self::assertSame($attempt, RateLimiter::attempt('send:ann', 3, fn () => $attempt));
		}
		self::assertFalse(RateLimiter::attempt('send:ann', 3, fn () => self::fail('over the limit')));
		self::assertTrue(RateLimiter::tooManyAttempts('send:ann', 3));
		self::assertSame(0, RateLimiter::remaining('send:ann', 3));
		self::assertSame(3, RateLimiter::remaining('send:bob', 3));
		self::assertEqualsWithDelta(60, RateLimiter::availableIn('send:ann'), 1);
	}

	public function testCountsHits(): void
	{
		self::assertSame(1, RateLimiter::hit('key'));
		self::assertSame(6, RateLimiter::increment('key', amount: 5));
		self::assertSame(5, RateLimiter::decrement('key'));
		self::assertSame(5, RateLimiter::attempts('key'));
		RateLimiter::resetAttempts('key');
		self::assertSame(0, RateLimiter::attempts('key'));
		RateLimiter::hit('key');
		RateLimiter::clear('key');
		self::assertSame(0, RateLimiter::attempts('key'));
		self::assertSame(0, RateLimiter::availableIn('key'));
	}

	public function testBeginsAnewAfterItsDecay(): void
	{
		Clock::freeze();
		RateLimiter::hit('key', 30);
		self::assertTrue(RateLimiter::tooManyAttempts('key', 1));
		Clock::advance(30.001);
		self::assertFalse(RateLimiter::tooManyAttempts('key', 1));
		self::assertSame(1, RateLimiter::hit('key', 30));
	}

	/** Another process has just begun the count, and counts while this one's hit is under way. */
	public function testNeverSetsTheCountBack(): void
	{
		$others = 0;
		Event::listen(WritingKey::class, function (WritingKey $event) use (&$others): void {
			if ($event->key === 'key') {
				Cache::increment('key');
				$others++;
			}
		});
		Cache::add('key', 0, 60);
		self::assertSame(1, RateLimiter::hit('key'));
		self::assertSame(1 + $others, RateLimiter::attempts('key'));
	}

	public function testEndsACountThatItHasBegun(): void
	{
		Clock::freeze();
		foreach ([30, new \DateInterval('PT30S'), new \DateTimeImmutable('@' . ((int) Clock::now() + 30))] as $number => $decay) {
			self::assertSame(2, RateLimiter::increment("key$number", $decay, 2));
			self::assertSame(0, RateLimiter::decrement("below$number", $decay));
		}
		self::assertSame(1, RateLimiter::hit('no time', 0));
		self::assertSame(0, RateLimiter::attempts('no time'));
		Clock::advance(31);
		foreach ([0, 1, 2] as $number) {
			self::assertSame(0, RateLimiter::attempts("key$number"), "$number");
		}
	}

	public function testKeepsTheNamedLimitersAndLeavesOtherStoresAlone(): void
	{
		$others = new \Illuminate\Cache\RateLimiter(Cache::build(['driver' => 'array']));
		self::assertSame($others, Ours::over($others));
		$before = new \Illuminate\Cache\RateLimiter(Cache::store());
		$before->for('uploads', fn () => 'limit');
		self::assertInstanceOf(Ours::class, Ours::over($before));
		self::assertSame('limit', Ours::over($before)->limiter('uploads')());
		self::assertInstanceOf(Ours::class, $this->app->make(\Illuminate\Cache\RateLimiter::class));
	}

	public function testCountsEachOfManyProcesses(): void
	{
		$hits = run_workers(6, function (): array {
			$cache = $this->application();
			$limiter = $cache->make(\Illuminate\Cache\RateLimiter::class);
			return array_map(fn () => $limiter->hit('shared', 600), range(1, 50));
		});
		$all = array_merge(...$hits);
		sort($all);
		self::assertSame(range(1, 300), $all);
		self::assertSame(300, Cache::get('shared'));
	}
}

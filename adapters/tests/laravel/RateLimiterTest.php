<?php
/* Laravel's RateLimiter, which counts by add() and increment() of the store. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Support\Facades\{Cache, RateLimiter};
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

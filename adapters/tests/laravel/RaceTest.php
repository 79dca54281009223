<?php
/* 12 processes that ask for one key over and over, with an application of their own each: one computes whenever it expires. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Contracts\Cache\Repository;
use McPatterns\Adapters\Tests\Support\Race;
use PHPUnit\Framework\Attributes\DataProvider;

final class RaceTest extends LaravelTestCase
{
	/** @return iterable<string, array{array<string, mixed>, \Closure(Repository, \Closure): mixed}> */
	public static function ways(): iterable
	{
		yield 'remember' => [[], fn (Repository $cache, \Closure $compute) => $cache->remember('key', Race::TTL, $compute)];
		yield 'remember with a grace' => [['grace' => 30], fn (Repository $cache, \Closure $compute) => $cache->remember('key', Race::TTL, $compute)];
		yield 'flexible' => [[], fn (Repository $cache, \Closure $compute) => $cache->flexible('key', [Race::TTL, 30], $compute)];
		yield 'tags' => [[], fn (Repository $cache, \Closure $compute) => $cache->tags('a', 'b')->remember('key', Race::TTL, $compute)];
	}

	/** @param array<string, mixed> $store */
	#[DataProvider('ways')]
	public function testComputesOncePerExpiry(array $store, \Closure $ask): void
	{
		Race::assertOneComputationPerExpiry($this->asking($store, $ask), isCold: true);
	}

	/** What this test would see of a repository that asks, computes and puts. */
	public function testSeesAStampede(): void
	{
		$ask = fn (Repository $cache, \Closure $compute) => (new \Illuminate\Cache\Repository($cache->getStore()))->remember('key', Race::TTL, $compute);
		// So long that all processes miss before the first one stores, on a busy machine, too.
		[$needless] = Race::run($this->asking([], $ask), isCold: true, computing: 1.0);
		self::assertGreaterThan(3, $needless);
	}

	/**
	 * @param array<string, mixed> $store
	 * @return \Closure(Race): (\Closure(): mixed)
	 */
	private function asking(array $store, \Closure $ask): \Closure
	{
		return function (Race $race) use ($store, $ask): \Closure {
			$cache = $this->application($store + ['wait' => 30])->make('cache')->store();
			return fn () => $ask($cache, $race->compute(...));
		};
	}
}

<?php
/* 12 processes that ask for one key over and over, with an application of their own each: one computes whenever it expires. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Contracts\Cache\Repository;
use PHPUnit\Framework\Attributes\DataProvider;

final class RaceTest extends LaravelTestCase
{
	private const PROCESSES = 12;
	private const TTL = 1;
	private const COMPUTING_MS = 100;
	private const SECONDS = 4.0;

	/** @return iterable<string, array{array<string, mixed>, \Closure(Repository, \Closure): mixed}> */
	public static function ways(): iterable
	{
		yield 'remember' => [[], fn (Repository $cache, \Closure $compute) => $cache->remember('key', self::TTL, $compute)];
		yield 'remember with a grace' => [['grace' => 30], fn (Repository $cache, \Closure $compute) => $cache->remember('key', self::TTL, $compute)];
		yield 'flexible' => [[], fn (Repository $cache, \Closure $compute) => $cache->flexible('key', [self::TTL, 30], $compute)];
		yield 'tags' => [[], fn (Repository $cache, \Closure $compute) => $cache->tags('a', 'b')->remember('key', self::TTL, $compute)];
	}

	/** @param array<string, mixed> $store */
	#[DataProvider('ways')]
	public function testComputesOncePerExpiry(array $store, \Closure $ask): void
	{
		$computations = $this->race($store, $ask);
		self::assertGreaterThanOrEqual(2, count($computations));
		self::assertSame(0, self::needless($computations), count($computations) . ' computations');
	}

	/** What this test would see of a repository that asks, computes and puts. */
	public function testSeesAStampede(): void
	{
		$ask = fn (Repository $cache, \Closure $compute) => (new \Illuminate\Cache\Repository($cache->getStore()))->remember('key', self::TTL, $compute);
		self::assertGreaterThan(3, self::needless($this->race([], $ask)));
	}

	/**
	 * @param array<string, mixed> $store
	 * @return list<array{float, float}> all processes' computations, as they began
	 */
	private function race(array $store, \Closure $ask): array
	{
		$computations = array_merge(...run_workers(self::PROCESSES, fn (): array => $this->askOften($store, $ask)));
		sort($computations);
		return $computations;
	}

	/**
	 * How many began though the value before was not expired yet, or still being computed.
	 *
	 * @param list<array{float, float}> $computations
	 */
	private static function needless(array $computations): int
	{
		$needless = 0;
		foreach (array_slice($computations, 1) as $number => [$begun]) {
			$needless += (int) (round($begun - $computations[$number][1], 2) < self::TTL);
		}
		return $needless;
	}

	/**
	 * @param array<string, mixed> $store
	 * @return list<array{float, float}> when this process' computations began and ended
	 */
	private function askOften(array $store, \Closure $ask): array
	{
		$cache = $this->application($store + ['wait' => 30])->make('cache')->store();
		$computations = [];
		$end = microtime(true) + self::SECONDS;
		while (microtime(true) < $end) {
			$ask($cache, function () use (&$computations): string {
				$begun = microtime(true);
				usleep(self::COMPUTING_MS * 1000);
				$computations[] = [$begun, microtime(true)];
				return 'value';
			});
			usleep(1000);
		}
		return $computations;
	}
}

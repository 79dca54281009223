<?php
/* 12 processes that ask for one transient over and over: one computes whenever it expires. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\WordPress;

use McPatterns\Adapters\Tests\Support\MemcachedTestCase;

final class RaceTest extends MemcachedTestCase
{
	private const PROCESSES = 12;
	private const TTL = 1;
	private const COMPUTING_MS = 100;
	private const SECONDS = 4.0;

	public function testComputesOncePerExpiry(): void
	{
		$this->nextRequest();
		set_transient('front', 'first', self::TTL);
		$computations = array_merge(...run_workers(self::PROCESSES, fn (): array => $this->askOften()));
		sort($computations);
		self::assertGreaterThanOrEqual(2, count($computations));
		foreach (array_slice($computations, 1) as $number => [$begun]) {
			self::assertGreaterThanOrEqual(self::TTL, round($begun - $computations[$number][1], 2), "computation $number was still fresh");
		}
	}

	/** @return list<array{float, float}> when this process' computations began and ended */
	private function askOften(): array
	{
		$computations = [];
		$end = microtime(true) + self::SECONDS;
		while (microtime(true) < $end) {
			$this->nextRequest();
			if (get_transient('front') === false) {
				$begun = microtime(true);
				usleep(self::COMPUTING_MS * 1000);
				$computations[] = [$begun, microtime(true)];
				set_transient('front', 'value', self::TTL);
			}
			usleep(1000);
		}
		return $computations;
	}

	private function nextRequest(): void
	{
		$GLOBALS['wp_object_cache'] = new \WP_Object_Cache($this->pool);
	}
}

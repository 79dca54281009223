<?php
/* Twelve processes that want one value all the time, which ends every second and takes 0.1 s to compute. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use PHPUnit\Framework\Assert;

final class Race
{
	public const TTL = 1;
	private const SECONDS = 3.5;
	private const PROCESSES = 12;

	private readonly string $journal;

	private function __construct()
	{
		$this->journal = (string) tempnam(sys_get_temp_dir(), 'race');
	}

	/** What an application's callback does; notes when. */
	public function compute(): string
	{
		file_put_contents($this->journal, sprintf("%.6F\n", microtime(true)), FILE_APPEND);
		usleep(100_000);
		return 'computed';
	}

	/**
	 * Calls what $start returns, in each process, again and again: it is to answer 'computed', by compute() of the Race that
	 * $start is given, and to store that for the TTL. Asserts that no two computations began within one TTL.
	 *
	 * @param \Closure(self): (\Closure(): mixed) $start
	 */
	public static function assertOneComputationPerExpiry(\Closure $start): void
	{
		$race = new self();
		$start($race)();
		$reads = array_sum(run_workers(self::PROCESSES, fn () => $race->take_part($start($race))));
		$times = array_map(floatval(...), (array) file($race->journal));
		unlink($race->journal);
		sort($times);
		$gaps = array_map(fn (float $one, float $next): float => $next - $one, array_slice($times, 0, -1), array_slice($times, 1));
		Assert::assertGreaterThanOrEqual(3, count($times), 'computed too seldom');
		Assert::assertGreaterThan(self::TTL - 0.01, min($gaps), sprintf('%d computations while %d values were read', count($times), $reads));
		Assert::assertGreaterThan(100, $reads);
	}

	private function take_part(\Closure $read): int
	{
		$end = microtime(true) + self::SECONDS;
		for ($reads = 0; microtime(true) < $end; $reads++) {
			Assert::assertSame('computed', $read());
			usleep(2000);
		}
		return $reads;
	}
}

<?php
/* Twelve processes that want one value all the time, which lives for 3 s and takes 0.1 s to compute, unless a test asks for more. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use PHPUnit\Framework\Assert;

final class Race
{
	public const TTL = 3;
	/** The end of what is computed may count from before its note was written. */
	private const NOTED_LATE = 0.1;
	/** The first one, and two expiries. */
	private const COMPUTATIONS = 3;
	private const PROCESSES = 12;
	/** A race that computes too seldom ends, too. */
	private const SECONDS_AT_MOST = 60.0;
	/** So long before and after a computation, which they race for, all read as fast as they can. */
	private const EXCITED = 0.5;
	private const LINE = "%017.6F\n";

	private readonly string $journal;

	private function __construct(private readonly float $computing)
	{
		$this->journal = (string) tempnam(sys_get_temp_dir(), 'race');
	}

	/** What an application's callback does; notes when. */
	public function compute(): string
	{
		file_put_contents($this->journal, sprintf(self::LINE, microtime(true)), FILE_APPEND);
		usleep((int) ($this->computing * 1e6));
		return 'computed';
	}

	/**
	 * Calls what $start returns, in each process, again and again: it is to answer 'computed', by compute() of the Race that
	 * $start is given, and to store that for the TTL. Asserts that no two computations began within one TTL.
	 *
	 * @param \Closure(self): (\Closure(): mixed) $start
	 * @param bool $isCold all processes begin where nothing is yet; otherwise with a value that has just been computed
	 */
	public static function assertOneComputationPerExpiry(\Closure $start, bool $isCold): void
	{
		[$needless, $computations, $reads] = self::run($start, $isCold);
		Assert::assertGreaterThanOrEqual(self::COMPUTATIONS, $computations, 'computed too seldom');
		Assert::assertSame(0, $needless, "$computations computations while $reads values were read");
		Assert::assertGreaterThan(100, $reads);
	}

	/**
	 * @param \Closure(self): (\Closure(): mixed) $start
	 * @param float $computing seconds that a computation takes
	 * @return array{int, int, int} computations that began while the value before was fresh, or being computed; all of them; reads
	 */
	public static function run(\Closure $start, bool $isCold, float $computing = 0.1): array
	{
		$race = new self($computing);
		if (!$isCold) {
			Assert::assertSame('computed', $start($race)());
		}
		// Made before the processes start together, because an application takes long to boot.
		$asking = array_map(fn (): \Closure => $start($race), range(1, self::PROCESSES));
		$reads = array_sum(run_workers(self::PROCESSES, fn (int $index): int => $race->takePart($asking[$index]), 2 * self::SECONDS_AT_MOST));
		$times = array_map(floatval(...), (array) file($race->journal));
		unlink($race->journal);
		sort($times);
		$gaps = array_map(fn (float $one, float $next): float => $next - $one, array_slice($times, 0, -1), array_slice($times, 1));
		return [count(array_filter($gaps, fn (float $gap): bool => $gap < self::TTL - self::NOTED_LATE)), count($times), (int) $reads];
	}

	/** Reads once at least: the others may have computed all before this process is woken. */
	private function takePart(\Closure $read): int
	{
		$end = microtime(true) + self::SECONDS_AT_MOST;
		$noted = $begun = $reads = 0;
		do {
			$size = $this->sizeOfJournal();
			if ($size > $noted) {
				[$noted, $begun] = [$size, microtime(true)];
			}
			Assert::assertSame('computed', $read());
			$age = microtime(true) - $begun;
			usleep($age > self::EXCITED && $age < self::TTL - self::EXCITED ? 20_000 : 2000);
			$reads++;
		} while ($this->sizeOfJournal() < self::COMPUTATIONS * strlen(sprintf(self::LINE, 0)) && microtime(true) < $end);
		return $reads;
	}

	private function sizeOfJournal(): int
	{
		clearstatcache(true, $this->journal);
		return (int) filesize($this->journal);
	}
}

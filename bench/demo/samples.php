<?php
/* What the readers of one scene saw, put together: one record for each read, and from them the rebuilds,
 * the waits and the expiries. Times are nanoseconds of the monotonic clock, shared by all processes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Samples
{
	private const RECORD = 5 * 8;
	/** @var list<array{int, int}> start and end, by start */
	public array $rebuilds = [];
	/** @var list<array{int, int}> reads that were kept waiting by somebody's rebuild: start and end */
	public array $waiting = [];
	/** @var list<int> nanoseconds of every read that did not rebuild, sorted */
	public array $waits = [];
	/** @var list<array{start_ns: int, rebuilds: int, is_whole: bool}> */
	public array $expiries = [];
	public int $reads = 0;
	public int $longest_stale_ns = 0;
	/** When the last process that came at once had a value: the end of its first read. */
	public int $everybody_ns = 0;

	public static function encode(int ...$fields): string
	{
		return pack('P5', ...$fields);
	}

	/** @param list<string> $files one of each worker */
	public function __construct(
		public readonly Scene $scene,
		public readonly Options $options,
		public readonly int $start_ns,
		array $files,
	) {
		foreach ($files as $file) {
			$this->add(file_get_contents($file));
		}
		sort($this->rebuilds);
		sort($this->waits);
		$this->waiting = array_values(array_filter($this->waiting, $this->overlaps_rebuild(...)));
		$this->find_expiries();
	}

	public function end_ns(): int
	{
		return $this->start_ns + (int) ($this->scene->seconds * 1e9);
	}

	/** Nanoseconds within which that share of the readers that did not rebuild was answered. */
	public function percentile(float $share): int
	{
		$count = count($this->waits);
		return $count === 0 ? 0 : $this->waits[min($count - 1, (int) ceil($share * $count) - 1)];
	}

	public function longest_ns(): int
	{
		return $this->waits === [] ? 0 : end($this->waits);
	}

	/** @return list<int> of the expiries that were seen to their end */
	public function rebuilds_per_expiry(): array
	{
		return array_column(array_filter($this->expiries, fn (array $one): bool => $one['is_whole']), 'rebuilds');
	}

	private function add(string $records): void
	{
		$is_first = true;
		for ($at = 0; $at < strlen($records); $at += self::RECORD) {
			[$start, $end, $rebuild_start, $rebuild_end, $stale] = array_values(unpack('P5', $records, $at));
			$this->reads++;
			$this->longest_stale_ns = max($this->longest_stale_ns, $stale);
			if ($is_first) {
				$this->everybody_ns = max($this->everybody_ns, $end);
				$is_first = false;
			}
			if ($rebuild_start !== 0) {
				$this->rebuilds[] = [$rebuild_start, $rebuild_end];
				continue;
			}
			$this->waits[] = $end - $start;
			if ($end - $start >= $this->options->rebuild_ms * 1_000_000 / 4) {
				$this->waiting[] = [$start, $end];
			}
		}
	}

	/* A slow read beside no rebuild waited for the machine, not for somebody's result. */
	private function overlaps_rebuild(array $read): bool
	{
		foreach ($this->rebuilds as [$start_ns, $end_ns]) {
			if ($start_ns < $read[1] && $read[0] < $end_ns) {
				return true;
			}
		}
		return false;
	}

	/* Rebuilds belong to one expiry when each begins less than a quarter of a TTL after those before it
	 * have ended: a value that was just stored cannot have expired yet (the TTL is 2 s at least, of which
	 * memcached keeps more than one). Whoever never stops rebuilding is counted anew after each TTL. */
	private function find_expiries(): void
	{
		$gap_ns = intdiv($this->options->ttl * 1_000_000_000, 4);
		$until_ns = $over_ns = PHP_INT_MIN;
		foreach ($this->rebuilds as [$start_ns, $end_ns]) {
			if ($start_ns > $until_ns || $start_ns > $over_ns) {
				$over_ns = $start_ns + $this->options->ttl * 1_000_000_000;
				$this->expiries[] = [
					'start_ns' => $start_ns,
					'rebuilds' => 0,
					'is_whole' => $start_ns + 2 * ($end_ns - $start_ns) < $this->end_ns(),
				];
			}
			$this->expiries[array_key_last($this->expiries)]['rebuilds']++;
			$until_ns = max($until_ns, $end_ns + $gap_ns);
		}
	}
}

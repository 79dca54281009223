<?php
/* The scoreboard of the live display: a piece of shared memory with a slot for each worker, which it
 * alone writes and the parent reads now and then. Nobody waits for anybody. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Board
{
	private const SLOT = 3 * 8;
	private \Shmop $memory;

	/** The memory has no name once it is attached: it is gone when the last process is, however it ends. */
	public function __construct(private readonly int $workers)
	{
		for ($try = 0; $try < 20; $try++) {
			$memory = @shmop_open(random_int(1, 0x7fffffff), 'n', 0600, $workers * self::SLOT);
			if ($memory !== false) {
				$this->memory = $memory;
				shmop_delete($memory);
				return;
			}
		}
		throw new \RuntimeException('no shared memory to be had (shmget)');
	}

	public function write(int $slot, int $reads, int $rebuilds, bool $is_rebuilding): void
	{
		shmop_write($this->memory, pack('P3', $reads, $rebuilds, (int) $is_rebuilding), $slot * self::SLOT);
	}

	/** @return array{reads: int, rebuilds: int, rebuilding: int} */
	public function sum(): array
	{
		$sums = ['reads' => 0, 'rebuilds' => 0, 'rebuilding' => 0];
		$bytes = shmop_read($this->memory, 0, $this->workers * self::SLOT);
		for ($slot = 0; $slot < $this->workers; $slot++) {
			$fields = unpack('Preads/Prebuilds/Prebuilding', $bytes, $slot * self::SLOT);
			foreach ($fields as $name => $number) {
				$sums[$name] += $number;
			}
		}
		return $sums;
	}
}

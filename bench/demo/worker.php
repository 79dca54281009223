<?php
/* One reader: a process that asks for the key again and again, as page views would, until the scene is
 * over. What it saw stays in its own memory until then, so that measuring costs the others nothing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Worker
{
	private string $samples = '';
	private int $reads = 0;
	private int $rebuilds = 0;
	private int $rebuild_start_ns = 0;
	private int $rebuild_end_ns = 0;

	public function __construct(
		private readonly Contender $contender,
		private readonly Options $options,
		private readonly Board $board,
		private readonly int $slot,
	) {
	}

	/** Reads from one moment of the monotonic clock to another, then writes its samples to a file. */
	public function run(string $key, int $start_ns, int $end_ns, string $file): void
	{
		$parent = posix_getppid();
		mt_srand($this->slot);
		$this->contender->connect($this->options->socket, $this->options->ttl);
		$this->contender->read("$key-connect-{$this->slot}", fn (): string => 'connected');
		self::sleep_until($start_ns);
		while (hrtime(true) < $end_ns && posix_getppid() === $parent) {
			$this->read($key);
			usleep(mt_rand(...Options::PAUSE_US));
		}
		if (file_put_contents($file, $this->samples) !== strlen($this->samples)) {
			throw new \RuntimeException("could not write $file");
		}
	}

	private function read(string $key): void
	{
		$this->rebuild_start_ns = $this->rebuild_end_ns = 0;
		$start_ns = hrtime(true);
		$value = $this->contender->read($key, $this->rebuild(...));
		$end_ns = hrtime(true);
		if (!is_array($value) || !isset($value['built_ns'])) {
			throw new \RuntimeException($this->contender->title() . ' answered ' . get_debug_type($value)
				. ' instead of the value');
		}
		$stale_ns = max(0, $end_ns - $value['built_ns'] - $this->options->ttl * 1_000_000_000);
		$this->samples .= Samples::encode(
			$start_ns,
			$end_ns,
			$this->rebuild_start_ns,
			$this->rebuild_end_ns,
			$stale_ns,
		);
		$this->board->write($this->slot, ++$this->reads, $this->rebuilds, false);
	}

	/** The slow query. */
	private function rebuild(): array
	{
		$this->board->write($this->slot, $this->reads, ++$this->rebuilds, true);
		$this->rebuild_start_ns = hrtime(true);
		self::sleep_until($this->rebuild_start_ns + $this->options->rebuild_ms * 1_000_000);
		$this->rebuild_end_ns = hrtime(true);
		return self::value($this->rebuild_end_ns);
	}

	/** What is cached: the ten newest articles, say, and the moment at which they were put together. */
	public static function value(int $built_ns): array
	{
		$row = ['id' => 4711, 'title' => 'A headline of ordinary length', 'votes' => 42];
		return ['built_ns' => $built_ns, 'rows' => array_fill(0, 10, $row)];
	}

	public static function sleep_until(int $moment_ns): void
	{
		while (($left_ns = $moment_ns - hrtime(true)) > 0) {
			usleep(intdiv($left_ns, 1000) + 1);
		}
	}
}

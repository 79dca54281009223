<?php
/* The floor below all clients: a program in C (floor.c) that only calls send() and recv(). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

const FLOOR_OPERATION = 'get, string of 1,000 bytes';

/** The program's process, timed by itself. */
final class Floor
{
	public readonly int $pid;
	/** @var resource */
	private $process;
	/** @var array<int, resource> */
	private array $pipes = [];
	private int $calls = 100;

	public function __construct(string $socket, private readonly float $seconds)
	{
		$this->process = proc_open([getenv('MCP_BENCH_FLOOR'), $socket], [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
		$this->pid = proc_get_status($this->process)['pid'];
		[$each] = $this->cost();
		$this->calls = max(1, (int) ($seconds / $each));
	}

	/** @return array{float, float} seconds and processor seconds of a call */
	public function cost(): array
	{
		fwrite($this->pipes[0], "$this->calls\n");
		$line = fgets($this->pipes[1]) ?: throw new \RuntimeException('the floor has died');
		return array_map(fn (string $nanoseconds): float => (float) $nanoseconds / 1e9 / $this->calls, explode(' ', $line));
	}
}

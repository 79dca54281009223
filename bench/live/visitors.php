<?php
/* The load: so many visitors, each of whom asks for the page, reads it for a moment, and asks again. All in one process, on
 * the loopback address only; one more visitor is one more request at a time and never more. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Live;

final class Visitors
{
	/** Seconds that a page is looked at. */
	private const READS = [0.05, 0.15];
	/** Seconds that the page shows. */
	public const SPAN = 20.0;

	/** @var array<int, resource> visitor => connection */
	private array $open = [];
	/** @var array<int, float> visitor => when the request began */
	private array $began = [];
	/** @var array<int, string> */
	private array $answers = [];
	/** @var array<int, float> visitor => when to ask again */
	private array $next = [];

	public int $pages = 0;
	public int $failures = 0;
	public int $queries = 0;
	/** @var list<array{float, float, int}> when it ended, seconds, 1: it computed */
	private array $recent = [];

	public function __construct(private readonly Server $server, private readonly string $path, int $number)
	{
		for ($visitor = 0; $visitor < $number; $visitor++) {
			$this->next[$visitor] = microtime(true) + $visitor * 0.01;
		}
	}

	/** @return list<resource> what to wait for */
	public function connections(): array
	{
		return array_values($this->open);
	}

	/** Begins what is due and takes what has come. */
	public function step(): void
	{
		$now = microtime(true);
		foreach ($this->next as $visitor => $moment) {
			if ($moment <= $now) {
				$this->ask($visitor, $now);
			}
		}
		foreach ($this->open as $visitor => $connection) {
			$piece = fread($connection, 8192);
			$this->answers[$visitor] .= $piece;
			if (($piece === '' || $piece === false) && feof($connection)) {
				$this->take($visitor);
			}
		}
	}

	private function ask(int $visitor, float $now): void
	{
		$connection = @stream_socket_client("tcp://{$this->server->address}", $code, $message, 2.0);
		if ($connection === false) {
			$this->failures++;
			$this->next[$visitor] = $now + 0.5;
			return;
		}
		fwrite($connection, "GET $this->path HTTP/1.0\r\nHost: {$this->server->address}\r\n\r\n");
		stream_set_blocking($connection, false);
		unset($this->next[$visitor]);
		[$this->open[$visitor], $this->began[$visitor], $this->answers[$visitor]] = [$connection, $now, ''];
	}

	private function take(int $visitor): void
	{
		fclose($this->open[$visitor]);
		$now = microtime(true);
		$body = json_decode((string) strstr($this->answers[$visitor], '{'), true);
		if (is_array($body)) {
			$this->pages++;
			$this->queries += (int) $body['computed'];
			$this->recent[] = [round($now, 3), round($now - $this->began[$visitor], 4), (int) $body['computed']];
		} else {
			$this->failures++;
		}
		unset($this->open[$visitor], $this->began[$visitor], $this->answers[$visitor]);
		$this->next[$visitor] = $now + self::READS[0] + (self::READS[1] - self::READS[0]) * random_int(0, PHP_INT_MAX) / PHP_INT_MAX;
	}

	/** What there is to show. $running: queries at this moment. */
	public function state(int $running): array
	{
		$begin = microtime(true) - self::SPAN;
		while ($this->recent && $this->recent[0][0] < $begin) {
			array_shift($this->recent);
		}
		return ['pages' => $this->pages, 'failures' => $this->failures, 'queries' => $this->queries, 'running' => $running,
			'longest' => $this->recent ? max(array_column($this->recent, 1)) : 0, 'recent' => $this->recent];
	}
}

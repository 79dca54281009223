<?php
/* Times one operation with several clients in turn, in each state of the processors in turn, and that round by round; each
 * client in a process of its own that lives for all rounds: time.php SOCKET SERVERS OPERATION ROUNDS SECONDS STATES CLIENT ...,
 * of which SERVERS are memcacheds' process numbers and STATES names out of processors.php, both with commas. It prints what a
 * call cost in each round, by the clock and of the processor time that the client itself took, as report.php reads it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/loops.php';
require __DIR__ . '/processors.php';

/** A client's process: it measures when a line comes in, and answers with what a call costs. */
final class Client
{
	/** Calls between two looks at the clock, of which the first that fits is taken. */
	private const BATCHES = [200, 40, 8, 1];
	/** Of the measured time, for one batch. */
	private const SHARE = 0.2;
	public readonly int $pid;
	/** @var resource */
	private $channel;

	public function __construct(string $socket, private readonly string $name, string $operation, float $seconds)
	{
		[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
		$pid = pcntl_fork();
		if ($pid < 0) {
			throw new \RuntimeException('could not fork');
		}
		if ($pid > 0) {
			fclose($theirs);
			$this->channel = $ours;
			$this->pid = $pid;
			return;
		}
		fclose($ours);
		$loop = loop($socket, $name, $operation);
		$loop(1);
		$batch = self::batch($loop, $seconds);
		while (fgets($theirs) !== false) {
			fwrite($theirs, self::measure($loop, $batch, $seconds) . "\n");
		}
		exit(0);
	}

	/** @return array{float, float} seconds and processor seconds of a call */
	public function cost(): array
	{
		fwrite($this->channel, "go\n");
		$answer = fgets($this->channel);
		if ($answer === false) {
			throw new \RuntimeException("{$this->name} has died");
		}
		return array_map(floatval(...), explode(' ', $answer));
	}

	private static function batch(callable $loop, float $seconds): int
	{
		foreach (self::BATCHES as $batch) {
			$start = hrtime(true);
			$loop($batch);
			if ((hrtime(true) - $start) / 1e9 < self::SHARE * $seconds) {
				break;
			}
		}
		return $batch;
	}

	/** Behind a batch that is not measured: the process may have been moved to another processor. */
	private static function measure(callable $loop, int $batch, float $seconds): string
	{
		$loop($batch);
		$start = hrtime(true);
		$processor_start = self::processor_seconds();
		$calls = 0;
		do {
			$loop($batch);
			$calls += $batch;
			$elapsed = (hrtime(true) - $start) / 1e9;
		} while ($elapsed < $seconds);
		return $elapsed / $calls . ' ' . (self::processor_seconds() - $processor_start) / $calls;
	}

	private static function processor_seconds(): float
	{
		$usage = getrusage();
		return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']
			+ ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6;
	}
}

[, $socket, $servers, $operation, $rounds, $seconds, $states] = $argv;
$names = array_slice($argv, 7);
$processors = new Processors(array_map(intval(...), explode(',', $servers)));
$states = explode(',', $states);
$clients = array_map(
	fn (string $name): Client|Floor => $name === 'floor' ? new Floor($socket, (float) $seconds) : new Client($socket, $name, $operation, (float) $seconds),
	array_combine($names, $names),
);
$pids = array_map(fn (Client|Floor $client): int => $client->pid, $clients);
for ($round = 0; $round < (int) $rounds; $round++) {
	foreach ($states as $state) {
		$processors->place($state, $pids);
		foreach ($clients as $name => $client) {
			[$time[$name][$state][], $processor[$name][$state][]] = $client->cost();
		}
	}
}
foreach ($names as $name) {
	foreach ($states as $state) {
		echo "$operation\t$name\ttime $state\t", implode(' ', $time[$name][$state]), "\n";
		echo "$operation\t$name\tprocessor $state\t", implode(' ', $processor[$name][$state]), "\n";
	}
}

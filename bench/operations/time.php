<?php
/* Times one operation with several clients in turn, A B C A B C, each in a process of its own that lives
 * for all rounds: time.php SOCKET OPERATION ROUNDS SECONDS CLIENT ... It prints what a call cost in each round, by the clock
 * and of the processor time that the client itself took, as report.php reads it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/loops.php';

/** A client's process: it measures when a line comes in, and answers with what a call costs. */
final class Client
{
	/** Between two looks at the clock. */
	private const BATCH = 200;
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
			return;
		}
		fclose($ours);
		$loop = loop($socket, $name, $operation);
		$loop(self::BATCH);
		while (fgets($theirs) !== false) {
			fwrite($theirs, self::measure($loop, $seconds) . "\n");
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

	private static function measure(callable $loop, float $seconds): string
	{
		$start = hrtime(true);
		$processor_start = self::processor_seconds();
		$calls = 0;
		do {
			$loop(self::BATCH);
			$calls += self::BATCH;
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

[, $socket, $operation, $rounds, $seconds] = $argv;
$names = array_slice($argv, 5);
$clients = array_map(
	fn (string $name): Client => new Client($socket, $name, $operation, (float) $seconds),
	array_combine($names, $names),
);
for ($round = 0; $round < (int) $rounds; $round++) {
	foreach ($clients as $name => $client) {
		[$seconds_each, $processor_each] = $client->cost();
		$time[$name][] = $seconds_each;
		$processor[$name][] = $processor_each;
	}
}
foreach ($names as $name) {
	echo "$operation\t$name\ttime\t", implode(' ', $time[$name]), "\n";
	echo "$operation\t$name\tprocessor\t", implode(' ', $processor[$name]), "\n";
}

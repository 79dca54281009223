<?php
/* Times one operation with several clients in turn, A B C A B C, each in a process of its own that lives
 * for all rounds: time.php SOCKET OPERATION ROUNDS SECONDS CLIENT ... It prints medians and ratios,
 * of the clock and of the processor time that the client itself took. */
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

function median(array $numbers): float
{
	sort($numbers);
	$middle = intdiv(count($numbers), 2);
	return count($numbers) % 2 ? $numbers[$middle] : ($numbers[$middle - 1] + $numbers[$middle]) / 2;
}

[, $socket, $operation, $rounds, $seconds] = $argv;
$names = array_slice($argv, 5);
$clients = array_map(
	fn (string $name): Client => new Client($socket, $name, $operation, (float) $seconds),
	array_combine($names, $names),
);
$costs = $ratios = [];
for ($round = 0; $round < (int) $rounds; $round++) {
	$of_round = array_map(fn (Client $client): array => $client->cost(), $clients);
	foreach ($of_round as $name => $cost) {
		// Within a round, so that what disturbs the machine for a while disturbs both.
		foreach ($cost as $kind => $seconds_each) {
			$costs[$kind][$name][] = $seconds_each;
			$ratios[$kind][$name][] = $seconds_each / $of_round[$names[0]][$kind];
		}
	}
}
echo "$operation\n";
foreach ($names as $name) {
	printf(
		"  %-12s %8s calls/s  %6.1f us each, ratio %.2f (%.2f to %.2f)  processor %6.1f us, ratio %.2f\n",
		$name,
		number_format(1 / median($costs[0][$name])),
		1e6 * median($costs[0][$name]),
		median($ratios[0][$name]),
		min($ratios[0][$name]),
		max($ratios[0][$name]),
		1e6 * median($costs[1][$name]),
		median($ratios[1][$name]),
	);
}

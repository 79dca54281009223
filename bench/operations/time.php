<?php
/* Times one operation with several clients in turn, A B C A B C, each in a process of its own that lives
 * for all rounds: time.php SOCKET OPERATION ROUNDS SECONDS CLIENT ... It prints medians and their ratios. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/loops.php';

/** A client's process: it measures when a line comes in, and answers with calls per second. */
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

	/** Calls per second. */
	public function rate(): float
	{
		fwrite($this->channel, "go\n");
		$answer = fgets($this->channel);
		if ($answer === false) {
			throw new \RuntimeException("{$this->name} has died");
		}
		return (float) $answer;
	}

	private static function measure(callable $loop, float $seconds): float
	{
		$start = hrtime(true);
		$calls = 0;
		do {
			$loop(self::BATCH);
			$calls += self::BATCH;
			$elapsed = (hrtime(true) - $start) / 1e9;
		} while ($elapsed < $seconds);
		return $calls / $elapsed;
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
$rates = $ratios = [];
for ($round = 0; $round < (int) $rounds; $round++) {
	$of_round = array_map(fn (Client $client): float => $client->rate(), $clients);
	foreach ($of_round as $name => $rate) {
		$rates[$name][] = $rate;
		// Within a round, so that what disturbs the machine for a while disturbs both.
		$ratios[$name][] = $rate / $of_round[$names[0]];
	}
}
echo "$operation\n";
foreach ($names as $name) {
	printf(
		"  %-14s %8s calls/s   %6.1f us each   ratio %.2f  (%.2f to %.2f)\n",
		$name,
		number_format(median($rates[$name])),
		1e6 / median($rates[$name]),
		median($ratios[$name]),
		min($ratios[$name]),
		max($ratios[$name]),
	);
}

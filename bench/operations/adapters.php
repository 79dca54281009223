<?php
/* Calls of a framework's cache, over the framework's own driver for memcached ("own") and over this project's adapters by both
 * transports. Run by bench/adapters: adapters.php SOCKET VENDOR laravel|symfony, with the framework's packages in VENDOR, and
 * times SERVER ROUNDS SECONDS PART ... (SERVER is memcached's process number), names PART ..., or call CLIENT NAME CALLS. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/processors.php';
require __DIR__ . '/statistics.php';
require __DIR__ . '/../../tests/_support/round_trips.inc';

const CLIENTS = ['own', 'libmemcached', 'direct'];
/** Number of calls whose round trips are counted. */
const COUNTED = 10;

/** A key that no previous call had. */
function new_key(): string
{
	static $made = 0;
	return 'new-' . getmypid() . '-' . $made++;
}

/** @return array<string, string> 100 keys, each as its own name */
function hundred(): array
{
	$keys = array_map(fn (int $number): string => "key-$number", range(1, 100));
	return array_combine($keys, $keys);
}

/** A row of 10 fields. */
function row(): array
{
	return array_fill_keys(['id', 'name', 'title', 'slug', 'author', 'date', 'body', 'tags', 'views', 'score'], 'some text of a field');
}

/** @return list<string> */
function names(string $framework, array $parts): array
{
	$is_wanted = fn (string $name): bool => array_filter($parts, fn (string $part): bool => str_contains("$framework: $name", $part)) !== [];
	$names = array_keys((__NAMESPACE__ . "\\{$framework}_calls")());
	return $parts === [] ? $names : array_values(array_filter($names, $is_wanted));
}

/** @return callable(string): callable the call of a name, prepared */
function client(string $framework, string $socket, string $client): callable
{
	$made = (__NAMESPACE__ . "\\{$framework}_client")($socket, $client);
	return fn (string $name): callable => (__NAMESPACE__ . "\\{$framework}_calls")()[$name](...$made);
}

/** Seconds of a call. */
function cost(callable $call, int $batch): float
{
	$start = hrtime(true);
	for ($left = $batch; $left > 0; $left--) {
		$call();
	}
	return (hrtime(true) - $start) / 1e9 / $batch;
}

/** @return array<string, list<float>> client => seconds of a call, a number a round; the clients begin in turn */
function costs(array $calls, int $rounds, float $seconds): array
{
	$batches = array_map(fn (callable $call): int => max(1, (int) ($seconds / cost($call, 5))), $calls);
	$costs = [];
	for ($round = 0; $round < $rounds; $round++) {
		foreach ([...array_slice(CLIENTS, $round % 3), ...array_slice(CLIENTS, 0, $round % 3)] as $client) {
			$costs[$client][$round] = cost($calls[$client], $batches[$client]);
		}
	}
	return $costs;
}

/** @return array<string, float> "CLIENT NAME" => round trips of a call */
function round_trips(string $framework, string $socket, array $names): array
{
	return count_round_trips([(object) ['address' => "unix://$socket"]], function (array $addresses, callable $mark) use ($framework, $names): void {
		pcntl_alarm(0);
		foreach (CLIENTS as $client) {
			$prepare = client($framework, substr($addresses[0], strlen('unix://')), $client);
			foreach ($names as $name) {
				$call = $prepare($name);
				$call();
				$mark('prepared');
				cost($call, COUNTED);
				$mark("$client $name");
			}
		}
	});
}

[, $socket, $vendor, $framework, $how] = $argv;
$arguments = array_slice($argv, 5);
require "$vendor/autoload.php";
require __DIR__ . "/$framework.php";
spl_autoload_register(function (string $class): void {
	$name = substr($class, strlen('McPatterns\\Adapters\\'));
	if ($class === "McPatterns\\Adapters\\$name") {
		require __DIR__ . '/../../adapters/src/' . strtr($name, '\\', '/') . '.php';
	}
});
if ($how === 'names') {
	echo implode("\n", names($framework, $arguments)), "\n";
} elseif ($how === 'call') {
	[$client, $name, $calls] = $arguments;
	cost(client($framework, $socket, $client)($name), (int) $calls);
} else {
	[$server, $rounds, $seconds] = $arguments;
	$names = names($framework, array_slice($arguments, 3));
	$trips = round_trips($framework, $socket, $names);
	(new Processors([(int) $server]))->place('one', [getmypid()]);
	$clients = array_map(fn (string $client): callable => client($framework, $socket, $client), array_combine(CLIENTS, CLIENTS));
	foreach ($names as $name) {
		$costs = costs(array_map(fn (callable $prepare): callable => $prepare($name), $clients), (int) $rounds, (float) $seconds);
		printf("%-42s%9.1f µs%23s%23s  %s\n", "$framework: $name", 1e6 * quantile($costs['own']), ratio_to($costs['own'], $costs['libmemcached']), ratio_to($costs['own'], $costs['direct']),
			implode(' ', array_map(fn (string $client): string => (string) round($trips["$client $name"] / COUNTED, 1), CLIENTS)));
	}
}

<?php
/* Times getMultiple against php-memcached's getMulti over several servers, in turn: many.php FOLDER ROUNDS
 * SECONDS SERVERS KEYS text|markdown, of both numbers a list with commas. What each took in its fastest round is shown: other programs only ever make it slower. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\{Cache, Transport};

require __DIR__ . '/clients.php';
require __DIR__ . '/servers.php';

/** What a call costs, in microseconds. */
function cost(callable $call, float $seconds): float
{
	$calls = 0;
	$start = hrtime(true);
	do {
		$call();
		$calls++;
		$elapsed = hrtime(true) - $start;
	} while ($elapsed < $seconds * 1e9);
	return $elapsed / 1e3 / $calls;
}

/** @return array<string, callable> what reads so many keys of 1,000 bytes, all of them there: ours over both transports, and theirs */
function readers(array $servers, int $count): array
{
	$value = str_repeat('0123456789', 100);
	$names = fn (string $client): array => array_map(fn (int $i): string => "$client:$i", range(1, $count));
	$cache = new Cache(pool($servers));
	$cache->setMultiple(array_fill_keys($names('mcp'), $value));
	$names_of_ours = $names('mcp');
	$direct = new Cache(pool($servers, transport: Transport::Direct));
	$readers = [
		'Libmemcached' => fn (): array => $cache->getMultiple($names_of_ours),
		'Direct' => fn (): array => $direct->getMultiple($names_of_ours),
	];
	if (extension_loaded('memcached')) {
		$memcached = php_memcached($servers);
		$names_of_theirs = $names('mem');
		$memcached->setMulti(array_fill_keys($names_of_theirs, $value));
		$readers['php-memcached'] = fn (): array => $memcached->getMulti($names_of_theirs);
	}
	foreach ($readers as $read) {
		if (count(array_filter($read(), fn (?string $found): bool => $found === $value)) !== $count) {
			throw new \RuntimeException('a value is missing');
		}
	}
	return $readers;
}

/** @param array<string, float> $fastest microseconds */
function show(int $servers, int $keys, array $fastest): void
{
	printf("  %2d servers  %4d keys", $servers, $keys);
	foreach ($fastest as $reader => $cost) {
		printf("  %s %7.0f us", $reader, $cost);
		echo isset($fastest['php-memcached']) ? sprintf(" (%.2f)", $cost / $fastest['php-memcached']) : '';
	}
	echo "\n";
}

/** A row of bench/README.md, whose ratios are to php-memcached's. */
function show_markdown(int $servers, int $keys, array $fastest): void
{
	['Libmemcached' => $libmemcached, 'Direct' => $direct, 'php-memcached' => $theirs] = $fastest;
	printf(
		"| %d | %s | %s µs | %s µs | %s µs | %.2f | %.2f |\n",
		$servers,
		...array_map(number_format(...), [$keys, $direct, $libmemcached, $theirs]),
		...[$direct / $theirs, $libmemcached / $theirs],
	);
}

[, $folder, $rounds, $seconds, $counts, $key_counts, $how] = $argv;
$counts = array_map(intval(...), explode(',', $counts));
$key_counts = array_map(intval(...), explode(',', $key_counts));
if ($how === 'markdown' && !extension_loaded('memcached')) {
	throw new \RuntimeException('the table needs php-memcached');
}
$show = $how === 'markdown' ? show_markdown(...) : show(...);
$sockets = array_map(fn (int $i): string => "$folder/server-$i", range(1, max($counts)));
$running = array_map(fn (string $socket): Server => new Server(['-s', $socket], "unix://$socket"), $sockets);
echo $how === 'markdown'
	? "| servers | keys | Direct | over libmemcached | php-memcached's getMulti | Direct's ratio | libmemcached's |\n|" . str_repeat(' ---: |', 7) . "\n"
	: "getMultiple of values of 1,000 bytes, and php-memcached's getMulti\n";
foreach ($counts as $server_count) {
	$servers = array_map(fn (string $socket): array => [$socket, 0, 1], array_slice($sockets, 0, $server_count));
	foreach ($key_counts as $key_count) {
		$readers = readers($servers, $key_count);
		$fastest = [];
		for ($round = 0; $round < (int) $rounds; $round++) {
			foreach ($readers as $reader => $read) {
				$fastest[$reader] = min($fastest[$reader] ?? INF, cost($read, (float) $seconds));
			}
		}
		$show($server_count, $key_count, $fastest);
	}
}
foreach ($running as $server) {
	$server->stop();
}

<?php
/* Counts where keys are placed: placement.php KEYS FOLDER. Prints tables and writes FOLDER/placement.svg. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\Distribution;

require __DIR__ . '/clients.php';
require __DIR__ . '/placement_picture.php';

/** @return list<array{string, int, int}> */
function servers(int $count, bool $are_weighted = false): array
{
	return array_map(fn (int $i): array => ["10.0.0.$i", 11211, $are_weighted ? 1 + $i % 4 : 1], range(1, $count));
}

/** @return list<string> */
function keys(int $count): array
{
	return array_map(fn (int $i): string => "article:$i", range(1, $count));
}

/** How many of 2,000 keys php-memcached looks for elsewhere. */
function disagreements(array $servers, Distribution $distribution): int
{
	$pool = pool($servers, $distribution);
	$memcached = php_memcached($servers, $distribution);
	$count = 0;
	foreach (keys(2000) as $key) {
		['host' => $host, 'port' => $port] = $memcached->getServerByKey($key);
		$count += $pool->serverFor($key) !== "$host:$port" ? 1 : 0;
	}
	return $count;
}

/** @return list<string> each key's server */
function place(array $servers, array $keys, Distribution $distribution): array
{
	return array_map(pool($servers, $distribution)->serverFor(...), $keys);
}

/** The share of the keys that live elsewhere when a server joins so many. */
function moved(int $count, array $keys, Distribution $distribution): float
{
	$before = place(servers($count), $keys, $distribution);
	$after = place(servers($count + 1), $keys, $distribution);
	return count(array_diff_assoc($after, $before)) / count($keys);
}

/** The fullest and the emptiest server's keys, where 1 is an even share. @return array{float, float} */
function fullness(int $count, array $keys, Distribution $distribution): array
{
	$counts = array_count_values(place(servers($count), $keys, $distribution));
	$even = count($keys) / $count;
	return [max($counts) / $even, (count($counts) < $count ? 0 : min($counts)) / $even];
}

/** @return array<string, float> each server's part of the keys */
function shares(array $servers, array $keys, Distribution $distribution): array
{
	$counts = array_count_values(place($servers, $keys, $distribution));
	return array_map(fn (array $server): float => ($counts["$server[0]:$server[1]"] ?? 0) / count($keys), $servers);
}

[, $number, $folder] = $argv;
$keys = keys((int) $number);
if (extension_loaded('memcached')) {
	echo "keys of 2,000 that php-memcached looks for elsewhere\n";
	foreach (Distribution::cases() as $distribution) {
		foreach ([false, true] as $are_weighted) {
			$found = array_map(
				fn (int $count): string => "$count: " . disagreements(servers($count, $are_weighted), $distribution),
				[1, 2, 3, 10, 100],
			);
			printf("  %-20s %s\n", $distribution->name . ($are_weighted ? ', weighted' : ''), implode('  ', $found));
		}
	}
} else {
	echo "without php-memcached, which is not there\n";
}

echo "keys that move when a server joins\n";
$moves = [];
foreach ([1, 2, 3, 5, 10, 20, 50, 99] as $count) {
	$moves[$count] = array_map(fn (Distribution $one): float => moved($count, $keys, $one), [Distribution::Ketama, Distribution::Modulo]);
	printf("  %3d servers  Ketama %5.1f %% (1/%d is %.1f %%)  Modulo %5.1f %%\n", $count, 100 * $moves[$count][0],
		$count + 1, 100 / ($count + 1), 100 * $moves[$count][1]);
}

echo "the fullest and the emptiest server, where 1 is an even share\n";
foreach ([3, 10, 100] as $count) {
	printf("  %3d servers  Ketama %.2f and %.2f  Modulo %.2f and %.2f\n", $count,
		...fullness($count, $keys, Distribution::Ketama), ...fullness($count, $keys, Distribution::Modulo));
}

echo "weights 1, 1, 2, 4\n";
$weighted = [['10.0.0.1', 11211, 1], ['10.0.0.2', 11211, 1], ['10.0.0.3', 11211, 2], ['10.0.0.4', 11211, 4]];
$parts = [];
foreach ([Distribution::Ketama, Distribution::Modulo] as $distribution) {
	$parts[] = shares($weighted, $keys, $distribution);
	printf("  %-7s %s\n", $distribution->name, implode('  ', array_map(fn (float $part): string => sprintf('%.1f %%', 100 * $part), end($parts))));
}
file_put_contents("$folder/placement.svg", PlacementPicture::svg(count($keys), $moves, $parts, [1 / 8, 1 / 8, 2 / 8, 4 / 8]));

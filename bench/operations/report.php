<?php
/* Shows what bench/compare has measured: report.php text FILE OPERATION as a table of one operation, report.php markdown
 * FILE as README's table of all. The file has lines of operation, client, kind and numbers, with tabs between them; the kinds
 * are time and processor (seconds of a call, one number a round), instructions (of a call), and calls (name=number ...). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

const SHOWN = [
	'memcached' => 'php-memcached',
	'mcpatterns' => 'libmemcached',
	'direct' => 'Direct',
	'near' => 'near',
	'apcu' => 'APCu',
	'symfony' => 'Symfony',
	'symfony-mcpatterns' => 'Symfony, libmemcached',
	'symfony-direct' => 'Symfony, Direct',
];

/** The middle, or with another share the number that this share of them is below. */
function quantile(array $numbers, float $share = 0.5): float
{
	sort($numbers);
	$at = $share * (count($numbers) - 1);
	$low = $numbers[(int) floor($at)];
	return $low + ($numbers[(int) ceil($at)] - $low) * ($at - floor($at));
}

/** Round by round, so that what disturbs the machine for a while disturbs both. */
function ratios(array $costs, array $base): array
{
	return array_map(fn (float $cost, float $of): float => $cost / $of, $costs, $base);
}

/** Enough figures to tell a fortieth from a fiftieth. */
function shown(float $ratio): string
{
	return number_format($ratio, $ratio < 0.1 ? 4 : ($ratio < 10 ? 3 : ($ratio < 100 ? 1 : 0)));
}

/** The median, and between which numbers the middle half lies. */
function spread(?array $costs, ?array $base): string
{
	if ($costs === null || $base === null || $costs === $base) {
		return '';
	}
	$ratios = ratios($costs, $base);
	return shown(quantile($ratios)) . ' (' . shown(quantile($ratios, 0.25)) . '-' . shown(quantile($ratios, 0.75)) . ')';
}

/** @return array<string, float> system call => how many of them a call makes */
function system_calls(array $measured): array
{
	$calls = [];
	foreach ($measured['calls'] ?? [] as $call) {
		[$name, $count] = explode('=', $call);
		$calls[$name] = (float) $count;
	}
	return $calls;
}

function total_of_system_calls(array $measured): string
{
	return isset($measured['calls']) ? number_format(array_sum(system_calls($measured)), 1) : '-';
}

function instructions(array $measured): string
{
	return isset($measured['instructions']) ? number_format((float) $measured['instructions'][0]) : '-';
}

/** @return array<string, array<string, array<string, list<float|string>>>> operation => client => kind => what was measured */
function measured(string $file): array
{
	$measured = [];
	foreach (file($file, FILE_IGNORE_NEW_LINES) as $line) {
		[$operation, $client, $kind, $numbers] = explode("\t", $line);
		$numbers = $numbers === '' ? [] : explode(' ', $numbers);
		$measured[$operation][$client][$kind] = $kind === 'calls' ? $numbers : array_map(floatval(...), $numbers);
	}
	return $measured;
}

function show_operation(string $operation, array $clients): void
{
	$first = array_key_first($clients);
	$format = "%-22s %8s  %-22s %-22s %6s %8s %5s\n";
	echo "$operation\n";
	printf($format, '', 'us', 'time of ' . SHOWN[$first], isset($clients['apcu']) ? 'of APCu' : '', 'cpu', 'instr.', 'calls');
	foreach ($clients as $client => $of) {
		printf(
			$format,
			' ' . SHOWN[$client],
			number_format(1e6 * quantile($of['time']), 2),
			spread($of['time'], $clients[$first]['time']),
			spread($of['time'], $clients['apcu']['time'] ?? null),
			shown(quantile(ratios($of['processor'], $clients[$first]['processor']))),
			instructions($of),
			total_of_system_calls($of),
		);
	}
	show_system_calls($clients);
	echo "\n";
}

function show_system_calls(array $clients): void
{
	foreach ($clients as $client => $of) {
		if (($calls = system_calls($of)) !== []) {
			$each = array_map(fn (string $name, float $count): string => round($count, 2) . " $name", array_keys($calls), $calls);
			echo '   ', SHOWN[$client], ': ', implode(', ', $each), "\n";
		}
	}
}

/** Time of php-memcached's, instructions, system calls; of php-memcached itself microseconds. */
function cell(?array $of, ?array $base): string
{
	if ($of === null) {
		return '';
	}
	$time = $of === $base ? number_format(1e6 * quantile($of['time']), 1) . ' µs' : shown(quantile(ratios($of['time'], $base['time'])));
	return "$time · " . instructions($of) . ' · ' . total_of_system_calls($of);
}

function show_markdown(array $measured): void
{
	$columns = array_filter(array_keys(SHOWN), fn (string $client): bool => $client !== 'symfony-mcpatterns'
		&& array_filter($measured, fn (array $clients): bool => isset($clients[$client])) !== []);
	echo '| | ', implode(' | ', array_map(fn (string $client): string => SHOWN[$client], $columns)), " |\n";
	echo '| --- |', str_repeat(' ---: |', count($columns)), "\n";
	foreach ($measured as $operation => $clients) {
		$cells = array_map(fn (string $client): string => cell($clients[$client] ?? null, reset($clients)), $columns);
		echo "| $operation | ", implode(' | ', $cells), " |\n";
	}
}

[, $how, $file] = $argv;
if ($how === 'markdown') {
	show_markdown(measured($file));
} else {
	show_operation($argv[3], measured($file)[$argv[3]]);
}

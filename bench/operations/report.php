<?php
/* Shows what bench/compare has measured: report.php text FILE OPERATION as a table of one operation for each state of the
 * processors, report.php markdown FILE as one table of all. The file has lines of operation, client, kind and numbers, with
 * tabs between them; the kinds are "time STATE" and "processor STATE" (seconds of a call, one number a round), instructions (of
 * a call), and calls (name=number ...). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/processors.php';
require __DIR__ . '/statistics.php';

const SHOWN = [
	'memcached' => 'php-memcached',
	'floor' => 'send and recv in C',
	'mcpatterns' => 'libmemcached',
	'direct' => 'Direct',
	'near' => 'near',
	'apcu' => 'APCu',
	'symfony' => 'Symfony',
	'symfony-mcpatterns' => 'Symfony, libmemcached',
	'symfony-direct' => 'Symfony, Direct',
];

function microseconds(float $seconds): string
{
	return number_format(1e6 * $seconds, $seconds < 1e-4 ? 2 : 0);
}

/** @return list<string> the states in which the operation was timed */
function states(array $clients): array
{
	return array_values(array_filter(
		array_keys(Processors::STATES),
		fn (string $state): bool => isset(reset($clients)["time $state"]),
	));
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

function show_state(string $state, array $clients): void
{
	$first = array_key_first($clients);
	$format = "%-37s %-22s %-22s %-22s %6s\n";
	printf($format, ' ' . Processors::STATES[$state], 'us', 'time of ' . SHOWN[$first], isset($clients['apcu']) ? 'of APCu' : '', 'cpu');
	foreach ($clients as $client => $of) {
		printf(
			$format,
			'  ' . SHOWN[$client],
			spread($of["time $state"], microseconds(...)),
			ratio_to($clients[$first]["time $state"], $of["time $state"]),
			ratio_to($clients['apcu']["time $state"] ?? null, $of["time $state"]),
			shown(quantile(ratios($of["processor $state"], $clients[$first]["processor $state"]))),
		);
	}
}

function show_counts(array $clients): void
{
	$format = "%-37s %8s %5s  %s\n";
	printf($format, ' in each state', 'instr.', 'calls', '');
	foreach ($clients as $client => $of) {
		$calls = system_calls($of);
		$each = array_map(fn (string $name, float $count): string => round($count, 2) . " $name", array_keys($calls), $calls);
		printf($format, '  ' . SHOWN[$client], instructions($of), total_of_system_calls($of), implode(', ', $each));
	}
}

function show_operation(string $operation, array $clients): void
{
	echo "$operation\n";
	foreach (states($clients) as $state) {
		show_state($state, $clients);
	}
	if (array_filter($clients, fn (array $of): bool => isset($of['instructions']) || isset($of['calls'])) !== []) {
		show_counts($clients);
	}
	echo "\n";
}

/** Times of php-memcached's in the states, instructions, system calls; of php-memcached itself microseconds. */
function cell(?array $of, array $clients): string
{
	if ($of === null) {
		return '';
	}
	$base = reset($clients);
	$times = array_map(fn (string $state): string => $of === $base
		? number_format(1e6 * quantile($of["time $state"]), 1)
		: shown(quantile(ratios($of["time $state"], $base["time $state"]))), states($clients));
	return implode(' / ', $times) . ($of === $base ? ' µs' : '') . ' · ' . instructions($of) . ' · ' . total_of_system_calls($of);
}

function show_markdown(array $measured): void
{
	$columns = array_filter(array_keys(SHOWN), fn (string $client): bool => $client !== 'symfony-mcpatterns'
		&& array_filter($measured, fn (array $clients): bool => isset($clients[$client])) !== []);
	echo '| | ', implode(' | ', array_map(fn (string $client): string => SHOWN[$client], $columns)), " |\n";
	echo '| --- |', str_repeat(' ---: |', count($columns)), "\n";
	foreach ($measured as $operation => $clients) {
		$cells = array_map(fn (string $client): string => cell($clients[$client] ?? null, $clients), $columns);
		echo "| $operation | ", implode(' | ', $cells), " |\n";
	}
}

[, $how, $file] = $argv;
if ($how === 'markdown') {
	show_markdown(measured($file));
} else {
	show_operation($argv[3], measured($file)[$argv[3]]);
}

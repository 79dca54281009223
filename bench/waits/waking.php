<?php
/* Times handing over in turn, each time in a new PHP: waking.php EXTENSION SOCKET ROUNDS READERS LOAD BEFORE, where BEFORE is
 * another build of the extension, or "none" for this one without shared memory. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Waits;

/** What one round has measured, in milliseconds. */
function measure(array $way, string $socket, array $scene): array
{
	$command = [PHP_BINARY, '-d', "extension=$way[0]", '-d', "mcpatterns.shared_memory=$way[1]", __DIR__ . '/round.php', $socket, ...$scene];
	$process = proc_open(array_map(strval(...), $command), [1 => ['pipe', 'w']], $pipes);
	$said = stream_get_contents($pipes[1]);
	$status = proc_close($process);
	$figures = json_decode($said, true);
	if ($status !== 0 || !is_array($figures) || $figures === []) {
		fwrite(STDERR, "a round has failed: $said\n");
		exit(1);
	}
	return $figures;
}

function quantile(array $figures, float $part): float
{
	sort($figures);
	return $figures[(int) round((count($figures) - 1) * $part)];
}

/** Processes that do nothing but compute, until this one ends. */
function put_under_load(int $count): array
{
	$processes = [];
	for ($i = 0; $i < $count; $i++) {
		$processes[] = proc_open(['setpriv', '--pdeathsig', 'KILL', PHP_BINARY, '-n', '-r', 'while (true) { md5("load"); }'], [], $pipes);
	}
	return $processes;
}

[, $extension, $socket, $rounds, $readers, $load, $before] = $argv;
$ways = [
	'before' => $before === 'none' ? [$extension, '0'] : [$before, '16M'],
	'bells' => [$extension, '16M'],
];
$scenes = [
	"last of $readers readers of a cold key" => ['cold', $readers],
	'lock, 2 waiters, held for 20 ms' => ['lock', 2],
	'lock, 16 waiters, held for 20 ms' => ['lock', 16],
];
$loads = put_under_load((int) $load);
echo "milliseconds, ", $load === '0' ? 'no load' : "$load processes compute meanwhile", ": median, ninth tenth, longest\n";
foreach ($scenes as $name => $scene) {
	$figures = ['before' => [], 'bells' => []];
	for ($round = 0; $round < (int) $rounds; $round++) {
		foreach ($ways as $which => $way) {
			array_push($figures[$which], ...measure($way, $socket, [...$scene, "$round.$which"]));
		}
	}
	echo "$name\n";
	foreach ($figures as $which => $of) {
		printf("  %-7s %8.2f %8.2f %8.2f   of %d\n", $which, quantile($of, 0.5), quantile($of, 0.9), max($of), count($of));
	}
	printf("  ratio   %8.1f %8.1f\n", quantile($figures['before'], 0.5) / quantile($figures['bells'], 0.5), quantile($figures['before'], 0.9) / quantile($figures['bells'], 0.9));
}
foreach ($loads as $process) {
	proc_terminate($process, 9);
}

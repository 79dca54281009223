<?php
/* Makes so many calls of one operation with one client: run.php SOCKET CLIENT OPERATION CALLS. Without arguments it lists
 * the operations, one a line; with --of CLIENT those that it has; with --compared those of bench/compare,
 * each with its clients behind a tab. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/loops.php';

if ($argc === 1) {
	echo implode("\n", array_keys(operations())), "\n";
	exit(0);
}
if ($argv[1] === '--of') {
	echo implode("\n", array_keys(array_filter(operations(), fn (array $clients): bool => isset($clients[$argv[2]])))), "\n";
	exit(0);
}
if ($argv[1] === '--compared') {
	foreach (compared() as $operation => $clients) {
		echo "$operation\t", implode(' ', $clients), "\n";
	}
	exit(0);
}
[, $socket, $client, $operation, $calls] = $argv;
loop($socket, $client, $operation)((int) $calls);

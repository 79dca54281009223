<?php
/* Plays the scene of guarded rows until there were so many operations. usage: OPERATIONS SECONDS [KIND] */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use McPatterns\Transport;

require __DIR__ . '/../../tests/_support/guarded_rows.inc';

/** Seconds after the holdoff that memcached is looked at. */
const REST = 2.0;

/** @return array<string, int> the sums of as many scenes as that takes */
function play_for(string $kind, Transport $transport, int $operations, float $seconds): array
{
	$sums = ['scenes' => 0, 'operations' => 0];
	while ($sums['operations'] < $operations) {
		$told = ['scenes' => 1] + play_guarded_rows($kind, $transport, $seconds, REST);
		foreach ($told as $what => $number) {
			$sums[$what] = ($sums[$what] ?? 0) + $number;
		}
	}
	return $sums;
}

[, $operations, $seconds, $only] = $argv + [1 => '1000000', 2 => '60', 3 => ''];
$contenders = [
	['guarded', Transport::Libmemcached],
	['guarded', Transport::Direct],
	['unguarded', Transport::Libmemcached],
	['php-memcached', Transport::Libmemcached],
];
printf("%-13s %-12s %10s %8s %8s %8s %9s %5s %9s\n", 'cache', 'transport', 'operations', 'stored', 'refused', 'evicted', 'looked at', 'old', 'scenes');
foreach ($contenders as [$kind, $transport]) {
	if (($only !== '' && $only !== $kind) || ($kind === 'php-memcached' && !extension_loaded('memcached'))) {
		continue;
	}
	$told = play_for($kind, $transport, (int) $operations, (float) $seconds);
	printf("%-13s %-12s %10d %8d %8d %8d %9d %5d %9d\n", $kind, $kind === 'php-memcached' ? '' : strtolower($transport->name), $told['operations'],
		$told['stored'], $told['refused'], $told['evictions'], $told['looked'] + $told['judged'], $told['old'], $told['scenes']);
}

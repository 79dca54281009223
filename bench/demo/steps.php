<?php
/* How many of a set of intervals are open at each moment, as a step function: what the picture's areas
 * are made of. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Steps
{
	/**
	 * @param list<list<array{int, int}>> $layers sets of intervals, in any order
	 * @return list<array{int, list<int>}> moment and the number of open intervals of each layer from then
	 */
	public static function count(array $layers): array
	{
		$changes = [];
		foreach ($layers as $layer => $intervals) {
			foreach ($intervals as [$start, $end]) {
				$changes[] = [$start, $layer, 1];
				$changes[] = [$end, $layer, -1];
			}
		}
		sort($changes);
		$open = array_fill(0, count($layers), 0);
		$steps = [];
		foreach ($changes as [$moment, $layer, $change]) {
			$open[$layer] += $change;
			if ($steps !== [] && $steps[array_key_last($steps)][0] === $moment) {
				array_pop($steps);
			}
			$steps[] = [$moment, $open];
		}
		return $steps;
	}
}

<?php
/* What rounds of measurements come to. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

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

/** The median, and between which numbers the middle half lies: far apart where two states of the processors are mixed. */
function spread(array $numbers, callable $shown): string
{
	return $shown(quantile($numbers)) . ' (' . $shown(quantile($numbers, 0.25)) . '-' . $shown(quantile($numbers, 0.75)) . ')';
}

function ratio_to(?array $base, array $costs): string
{
	return $base === null || $costs === $base ? '' : spread(ratios($costs, $base), shown(...));
}

<?php
/* How long an interval is from now on, by the clock that the extension looks at. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Clock;

/** @internal */
final class Seconds
{
	/** Negative for an interval into the past. */
	public static function of(\DateInterval|int $interval): int|float
	{
		if (is_int($interval)) {
			return $interval;
		}
		$now = new \DateTimeImmutable(sprintf('@%.3F', Clock::now()));
		return round((float) $now->add($interval)->format('U.u') - (float) $now->format('U.u'), 3);
	}
}

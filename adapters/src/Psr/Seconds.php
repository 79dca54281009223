<?php
/* How long an interval is from now on, by the clock that the extension looks at. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Clock;

/** @internal */
final class Seconds
{
	/** The longest TTL that Cache takes, of 317 years; who asks for a longer one gets it. */
	public const MOST = 10_000_000_000;

	/** Negative for an interval into the past. */
	public static function of(\DateInterval|int $interval): int|float
	{
		if (is_int($interval)) {
			return min($interval, self::MOST);
		}
		$now = new \DateTimeImmutable(sprintf('@%.3F', Clock::now()));
		return self::until((float) $now->add($interval)->format('U.u'), (float) $now->format('U.u'));
	}

	public static function until(float $end, float $now): float
	{
		return min(round($end - $now, 3), (float) self::MOST);
	}
}

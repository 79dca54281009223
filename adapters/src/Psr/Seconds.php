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
	/** A Cache takes a number from the first to the second for a date, the Unix times from 2001 to 2100, and refuses it. */
	private const DATES = [978_307_200, 4_102_444_800];

	/** What a Cache takes: an interval is never a date. */
	public static function ttl(int|float $seconds): \DateInterval|int|float
	{
		$seconds = min($seconds, self::MOST);
		[$first, $last] = self::DATES;
		return $seconds >= $first && $seconds <= $last ? new \DateInterval('PT' . (int) $seconds . 'S') : $seconds;
	}

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

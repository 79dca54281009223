<?php
/* Length of an interval from now, by the extension's clock. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Clock;

/** @internal */
final class Seconds
{
	/** The longest TTL that Cache accepts, 317 years. Longer TTLs are shortened to it. */
	public const MOST = 10_000_000_000;
	/** A Cache rejects a number in this range, because it looks like a Unix time (2001 to 2100). */
	private const FIRST_DATE = 978_307_200;
	private const LAST_DATE = 4_102_444_800;

	/** Returns a TTL that a Cache accepts, because an interval is never a date. */
	public static function ttl(int|float $seconds): \DateInterval|int|float
	{
		if ($seconds < self::FIRST_DATE) {
			return $seconds;
		}
		return $seconds <= self::LAST_DATE ? new \DateInterval('PT' . (int) $seconds . 'S') : min($seconds, self::MOST);
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

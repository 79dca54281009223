<?php
/* A framework's "get or compute" by the extension's remember(). */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache, Entry, Status};

/** @internal */
final class Remembered
{
	/**
	 * One caller computes, and the others wait or get the stale value. An exception that is an answer pauses no caller.
	 * A callback that asks for its own key is called again, as over the framework's own caches.
	 *
	 * @param \Closure(): mixed $compute
	 * @param \Closure(mixed): bool $isNone whether the framework takes the value for a miss: it is returned and not stored
	 */
	public static function by(Cache $cache, string $key, int $ttl, \Closure $compute, \Closure $isNone): mixed
	{
		$hasBegun = false;
		$answer = null;
		$run = function (Entry $old) use ($compute, &$hasBegun, &$answer): mixed {
			$hasBegun = true;
			$answer = null;
			try {
				return $compute();
			} catch (\Throwable $thrown) {
				$answer = $old->status === Status::Miss && Answers::isOne($thrown) ? $thrown : throw $thrown;
				return null;
			}
		};
		$lifetime = function (mixed $value) use ($ttl, $isNone, &$answer): \DateInterval|int|float|null {
			return $ttl < 0 || $answer !== null || $isNone($value) ? null : Seconds::ttl($ttl);
		};
		try {
			$value = $cache->remember($key, $lifetime, $run);
			if (!$hasBegun && $isNone($value)) {
				$value = $cache->remember($key, $lifetime, $run, force: true);
			}
		} catch (\LogicException $recursion) {
			return $hasBegun || $recursion::class !== \LogicException::class ? throw $recursion : $compute();
		}
		return $answer === null ? $value : throw $answer;
	}
}

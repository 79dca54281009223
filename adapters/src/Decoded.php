<?php
/* Reads that treat a value whose own code throws, for example after a deployment, as missing. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Cache;

/**
 * @internal
 *
 * A read of a Cache never throws because of a server, so an exception comes from the value's own code.
 */
final class Decoded
{
	/**
	 * @template T
	 * @template U
	 * @param \Closure(): T $read
	 * @param U $otherwise
	 * @param (\Closure(\Throwable): void)|null $tell
	 * @return T|U
	 */
	public static function one(\Closure $read, mixed $otherwise, ?\Closure $tell = null): mixed
	{
		try {
			return $read();
		} catch (\Throwable $refusal) {
			$tell === null || $tell($refusal);
			return $otherwise;
		}
	}

	/**
	 * One round trip per server. If a value's code throws, one more per key.
	 *
	 * @param list<string> $keys
	 * @param (\Closure(\Throwable): void)|null $tell
	 * @return array<array-key, mixed>
	 */
	public static function many(Cache $cache, array $keys, mixed $default, ?\Closure $tell = null): array
	{
		try {
			return $cache->getMultiple($keys, $default);
		} catch (\Throwable) {
			$values = [];
			foreach ($keys as $key) {
				$values[$key] = self::one(fn (): mixed => $cache->getMultiple([$key], $default)[$key], $default, $tell);
			}
			return $values;
		}
	}
}

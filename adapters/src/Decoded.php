<?php
/* Reads that take a value which its own class refuses, after a deploy perhaps, for one that is not there. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Cache;

/**
 * @internal
 *
 * A read of a Cache throws nothing because of a server, so what it throws comes out of the value's own code.
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
	 * One round trip per server, and where a value refuses another for each key.
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

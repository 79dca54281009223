<?php
/* Writes that return false for a value that cannot be stored. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\{Cache, UnstorableException};

/**
 * An exception of the value's own code during serialization also returns false, as in Symfony's own adapters. An
 * UnstorableException can be an Error. Any other Error is a bug and is thrown. If a guarded Cache did not store an
 * outdated value, the write counts as successful, because the key was deleted.
 *
 * @internal
 */
final class Written
{
	/** The usual write, without the closure that by() takes for each call. */
	public static function set(Cache $cache, string $key, mixed $value, \DateInterval|int|float|null $ttl, ?\Throwable &$failure = null): bool
	{
		$failure = null;
		try {
			return $cache->set($key, $value, $ttl) || Changed::alone($cache);
		} catch (UnstorableException|\Exception $failure) {
			return false;
		}
	}

	/** @param \Closure(): bool $write */
	public static function by(Cache $cache, \Closure $write, ?\Throwable &$failure = null): bool
	{
		$failure = null;
		try {
			return $write() || Changed::alone($cache);
		} catch (UnstorableException|\Exception $failure) {
			return false;
		}
	}
}

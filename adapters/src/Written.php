<?php
/* Writes that return false for a value that cannot be stored. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\{Cache, UnstorableException};

/** @internal */
final class Written
{
	/**
	 * An exception of the value's own code during serialization also returns false, as in Symfony's own adapters. An
	 * UnstorableException can be an Error. Any other Error is a bug and is thrown. If a guarded Cache did not store an
	 * outdated value, the write counts as successful, because the key was deleted.
	 *
	 * @param \Closure(): bool $write
	 */
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

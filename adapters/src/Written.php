<?php
/* Writes that take a value which cannot be stored for one that was not. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\{Cache, UnstorableException};

/** @internal */
final class Written
{
	/**
	 * What a value throws when it is serialized is no reason to throw either, as in Symfony's own adapters. An
	 * UnstorableException may be an Error, and any other Error is somebody's mistake. A guarded Cache's value that is old by now
	 * is as good as stored: it has been deleted.
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

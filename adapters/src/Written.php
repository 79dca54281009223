<?php
/* Writes that take a value which cannot be stored for one that was not. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\UnstorableException;

/** @internal */
final class Written
{
	/**
	 * What a value throws when it is serialized is no reason to throw either, as in Symfony's own adapters. An
	 * UnstorableException may be an Error, and any other Error is somebody's mistake.
	 *
	 * @param \Closure(): bool $write
	 */
	public static function by(\Closure $write, ?\Throwable &$failure = null): bool
	{
		$failure = null;
		try {
			return $write();
		} catch (UnstorableException|\Exception $failure) {
			return false;
		}
	}
}

<?php
/* Rules of PSR-6 and PSR-16 for keys. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

/** @internal */
final class KeyRules
{
	private const RESERVED = '{}()/\\@:';

	/** Returns the mistake in the key; null: the key is valid. */
	public static function complaint(mixed $key): ?string
	{
		if (!is_string($key)) {
			return 'A cache key must be a string, ' . get_debug_type($key) . ' given';
		}
		if ($key === '') {
			return 'A cache key must not be empty';
		}
		if (strpbrk($key, self::RESERVED) !== false) {
			return sprintf('The cache key "%s" must not have any of %s in it', $key, self::RESERVED);
		}
		return null;
	}
}

<?php
/* What PSR-6 and PSR-16 both ask of a key. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

/** @internal */
final class KeyRules
{
	private const RESERVED = '{}()/\\@:';

	/** What is wrong with the key; null: nothing. */
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

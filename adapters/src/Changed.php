<?php
/* Values that a guarded Cache did not store. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Cache;

/** @internal */
final class Changed
{
	/** @var \WeakMap<Cache, array{int, int}>|null what it had counted when it was asked last: changes and errors */
	private static ?\WeakMap $seen = null;

	/**
	 * Whether a write that has just answered false did so only because keys had changed since this process looked: what was to be
	 * stored is old by now, and nothing has failed. Frameworks take false for a failure. In doubt, after other calls that failed,
	 * it is one.
	 */
	public static function alone(Cache $cache): bool
	{
		$seen = self::$seen ??= new \WeakMap();
		[$changed, $errors] = $seen[$cache] ?? [0, 0];
		$counts = $cache->stats();
		$seen[$cache] = [$counts['changed'], $counts['errors']];
		return $counts['changed'] > $changed && $counts['errors'] === $errors;
	}
}

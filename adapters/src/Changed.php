<?php
/* Values that a guarded Cache did not store. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Cache;

/** @internal */
final class Changed
{
	/** @var \WeakMap<Cache, array{int, int}>|null counts at the last call: changes and errors */
	private static ?\WeakMap $seen = null;

	/**
	 * Returns whether the last write returned false only because keys had changed since this process read them: the
	 * value was outdated, which is not a failure. Frameworks treat false as a failure. If this is unclear after other
	 * failed calls, the write counts as failed.
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

<?php
/* For PHPStan: what adapters/src/Laravel/MemoizedTaggedCache.php extends as of Laravel 13, where the tests have Laravel 12. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace Illuminate\Cache;

class MemoizedTaggedCache extends TaggedCache
{
	/** @var array<string, mixed> */
	protected $cache = [];

	protected TaggedCache $taggedCache;

	public function __construct(TaggedCache $taggedCache, MemoizedStore $memoizedStore)
	{
	}

	/** @param \UnitEnum|string $key */
	protected function itemKey($key): string
	{
		return '';
	}
}

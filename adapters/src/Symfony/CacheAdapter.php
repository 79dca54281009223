<?php
/* Symfony's cache over the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Cache;

/**
 * A cache pool. get() is Cache::remember(): of all callers on all hosts one computes what has ended, while the others are
 * served the old value within $grace; without one they wait for the new, at most $wait seconds. $beta is that of early
 * expiration, 1.0 where none is given; INF computes anew. When a computation throws, so does get(). For a short, growing pause
 * nobody is elected then: those who find no old value wait out a short pause, and a longer one is a RebuildPausedException.
 *
 * No method throws because of a server: a read is a miss then, a write false, and told to the logger.
 */
final class CacheAdapter extends AbstractCacheAdapter
{
	protected function makeFormat(Cache $cache, string $namespace): Format
	{
		return new Format();
	}
}

<?php
/* Symfony's cache over the extension. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\{Cache, Pool};

/**
 * A cache pool. get() is Cache::remember(): one caller on all hosts recomputes an expired value, while the others get
 * the stale value within $grace. Without a stale value, they wait for the new value, at most $wait seconds. $beta is
 * the factor of early expiration, 1.0 by default; INF recomputes. If a computation throws, get() throws, and no caller
 * is elected for a short, growing pause. Callers without a stale value wait for the end of a short pause. A longer
 * pause throws RebuildPausedException.
 *
 * Methods never throw because of a server: reads miss, writes return false, and the failure is logged.
 */
final class CacheAdapter extends AbstractCacheAdapter
{
	protected function makeFormat(Pool $pool, Cache $cache, string $namespace): Format
	{
		return new Format();
	}
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;

/** What Cache::memo()->tags() is, as of Laravel 13: each value is asked for once in a request, and rebuilt by one process of all. */
final class MemoizedTaggedCache extends \Illuminate\Cache\MemoizedTaggedCache
{
    use RemembersWithWarmth;

    public function remember($key, $ttl, Closure $callback): mixed
    {
        return $this->cache[$this->itemKey($key)] ??= $this->taggedCache->remember($key, $ttl, $callback);
    }

    public function rememberForever($key, Closure $callback): mixed
    {
        return $this->cache[$this->itemKey($key)] ??= $this->taggedCache->rememberForever($key, $callback);
    }

    public function flexible($key, $ttl, $callback, $lock = null, $alwaysDefer = false): mixed
    {
        return $this->cache[$this->itemKey($key)] ??= $this->taggedCache->flexible($key, $ttl, $callback, $lock, $alwaysDefer);
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

/** The repository of Cache::store('mcpatterns'): Laravel's repository with the extension's remember(), flexible(), pull(), add() and funnel(). */
final class Repository extends \Illuminate\Cache\Repository
{
    use Remembers;

    /**
     * Prefetches values for get(), remember() and flexible(), in 1 round trip per server.
     *
     * @param iterable<mixed> $keys
     */
    public function prefetch(iterable $keys): void
    {
        $names = [];
        foreach ($keys as $key) {
            $names[] = $this->itemKey(Name::of($key));
        }
        $this->values()->prefetch($names);
    }

    /** Like Laravel's method, without the check whether a string is an enum case. */
    public function increment($key, $value = 1): int|bool
    {
        return $this->store->increment(is_string($key) ? $key : Name::of($key), $value);
    }

    public function decrement($key, $value = 1): int|bool
    {
        return $this->store->decrement(is_string($key) ? $key : Name::of($key), $value);
    }
}

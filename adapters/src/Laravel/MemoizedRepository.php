<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;

/** The repository of Cache::memo(): each value is read once per request, and rebuilt by only one process. */
final class MemoizedRepository extends \Illuminate\Cache\Repository
{
    use RemembersWithWarmth;

    /** @param array<string, mixed> $config */
    public function __construct(private readonly MemoizedStore $memory, array $config = [])
    {
        parent::__construct($memory, $config);
    }

    public function remember($key, $ttl, Closure $callback): mixed
    {
        return $this->memory->remember(Name::of($key), fn (Repository $values): mixed => $values->remember($key, $ttl, $callback));
    }

    public function rememberForever($key, Closure $callback): mixed
    {
        return $this->memory->remember(Name::of($key), fn (Repository $values): mixed => $values->rememberForever($key, $callback));
    }

    public function flexible($key, $ttl, $callback, $lock = null, $alwaysDefer = false): mixed
    {
        return $this->memory->remember(Name::of($key), fn (Repository $values): mixed => $values->flexible($key, $ttl, $callback, $lock, $alwaysDefer));
    }

    /** Laravel 12 has no memory of tagged values. */
    public function supportsTags(): bool
    {
        return class_exists(\Illuminate\Cache\MemoizedTaggedCache::class);
    }

    public function funnel($name): Funnel
    {
        return $this->memory->repository()->funnel($name);
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;

/** Laravel's memory of a request's values, with an access for remember(), so that one process rebuilds a missing value. */
final class MemoizedStore extends \Illuminate\Cache\MemoizedStore
{
    /** @var array<string, MemoizedTaggedCache> Laravel's own, as of Laravel 13 */
    protected $taggedCaches = [];

    public function __construct(string $name, Repository $repository)
    {
        parent::__construct($name, $repository);
    }

    /** @param Closure(Repository): mixed $remember */
    public function remember(string $key, Closure $remember): mixed
    {
        return $this->cache[$this->prefix($key)] ??= $remember($this->repository());
    }

    /**
     * As of Laravel 13: MemoizedRepository::supportsTags().
     *
     * @param array<array-key, mixed>|mixed $names
     */
    public function tags($names): MemoizedTaggedCache
    {
        $names = is_array($names) ? $names : func_get_args();
        return $this->taggedCaches[serialize($names)] ??= new MemoizedTaggedCache($this->repository()->tags($names), $this);
    }

    public function repository(): Repository
    {
        \assert($this->repository instanceof Repository);
        return $this->repository;
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;

/** Laravel's memory of a request's values, with an access for remember(), so that one process rebuilds a missing value. */
final class MemoizedStore extends \Illuminate\Cache\MemoizedStore
{
    public function __construct(string $name, Repository $repository)
    {
        parent::__construct($name, $repository);
    }

    /** @param Closure(Repository): mixed $remember */
    public function remember(string $key, Closure $remember): mixed
    {
        return $this->cache[$this->prefix($key)] ??= $remember($this->repository());
    }

    public function repository(): Repository
    {
        \assert($this->repository instanceof Repository);
        return $this->repository;
    }
}

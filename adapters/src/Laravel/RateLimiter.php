<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\RateLimiter as Laravels;

/**
 * Laravel's limiter, which loses no hit: its own sets the count back when it could not begin it, and whoever did begin it
 * has not counted yet.
 */
final class RateLimiter extends Laravels
{
    private function __construct(Repository $repository, private readonly Store $store)
    {
        parent::__construct($repository);
    }

    /** In place of one over a repository of this driver; another, and one of the application's own class, is answered as it is. */
    public static function over(Laravels $limiter): Laravels
    {
        $repository = $limiter->cache;
        $store = $repository->getStore();
        if ($limiter::class !== Laravels::class || !$repository instanceof Repository || !$store instanceof Store) {
            return $limiter;
        }
        $own = new self($repository, $store);
        $own->limiters = $limiter->limiters;
        return $own;
    }

    /** One step begins the count, with its end, or goes on with it. */
    public function increment($key, $decaySeconds = 60, $amount = 1): int
    {
        $seconds = $this->secondsUntil($decaySeconds);
        if ($seconds <= 0) {
            return parent::increment($key, $decaySeconds, $amount);
        }
        $key = $this->cleanRateLimiterKey($key);
        $this->cache->add("$key:timer", $this->availableAt($decaySeconds), $seconds);
        return (int) $this->store->increment($key, $amount, $seconds);
    }
}

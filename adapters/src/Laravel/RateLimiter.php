<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\RateLimiter as Laravels;

/**
 * Laravel's limiter without lost hits. Laravel's own limiter resets a count that another process has just created but
 * not incremented yet.
 */
final class RateLimiter extends Laravels
{
    private function __construct(Repository $repository, private readonly Store $store)
    {
        parent::__construct($repository);
    }

    /** Replaces a limiter over a repository of this driver. Returns other limiters and those of the application's own class unchanged. */
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

    /** Creates the count with its expiry, or increments it, in one step. */
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

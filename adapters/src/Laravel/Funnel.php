<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Limiters\ConcurrencyLimiterBuilder;

/** Cache::funnel() with the extension's Semaphore behind it: limit(), releaseAfter(), block(), then(). sleep() has no effect. */
final class Funnel extends ConcurrencyLimiterBuilder
{
    protected function createLimiter(): FunnelLimiter
    {
        $store = $this->connection->getStore();
        \assert($store instanceof Store);
        return new FunnelLimiter($store, $this->name, $this->maxLocks, $this->releaseAfter);
    }
}

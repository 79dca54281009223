<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Contracts\Cache\CanFlushLocks;

if (interface_exists(CanFlushLocks::class)) {
    /** Laravel's own, as of Laravel 13. */
    interface FlushesLocks extends CanFlushLocks
    {
    }
} else {
    interface FlushesLocks
    {
        public function flushLocks(): bool;

        public function hasSeparateLockStore(): bool;
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Limiters\ConcurrencyLimiter;
use Illuminate\Cache\Limiters\LimiterTimeoutException;
use McPatterns\LockLostException;
use McPatterns\LockTimeoutException;
use McPatterns\Semaphore;

/** Limits the number of holders among all processes and hosts. A permit is also released if its holder exits or is killed. */
final class FunnelLimiter extends ConcurrencyLimiter
{
    private readonly Semaphore $semaphore;

    public function __construct(Store $store, string $name, int $maxLocks, int $releaseAfter)
    {
        parent::__construct($store, $name, $maxLocks, $releaseAfter);
        $this->semaphore = new Semaphore($store->lockPool(), $name, $maxLocks, $releaseAfter > 0 ? $releaseAfter : INF, autoRelease: false);
    }

    /**
     * Without a callback, the permit is held until it expires.
     *
     * @param int $timeout
     * @param callable|null $callback
     * @param int $sleep
     */
    public function block($timeout, $callback = null, $sleep = 250): mixed
    {
        if ($callback === null) {
            return $this->semaphore->acquire($timeout) ? true : throw new LimiterTimeoutException();
        }
        $began = $ended = false;
        $result = null;
        try {
            $this->semaphore->run(function () use ($callback, &$result, &$began, &$ended): void {
                $began = true;
                $result = $callback();
                $ended = true;
            }, $timeout);
        } catch (LockTimeoutException $failure) {
            throw $began ? $failure : new LimiterTimeoutException();
        } catch (LockLostException $failure) {
            return $ended ? $result : throw $failure;
        }
        return $result;
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Drupal;

use Drupal\Core\Lock\LockBackendAbstract;
use McPatterns\{Lock, Pool};

/**
 * The services lock and lock.persistent. A lock of the first is released when the request ends, even by a fatal error.
 * One of the second stays until its timeout, or until any request releases it.
 *
 * A server that is down is an exception, because "could not ask" is not "taken".
 */
final class LockBackend extends LockBackendAbstract
{
    /** Seconds: Drupal's own has the same minimum. */
    private const SHORTEST = 0.001;

    /** @var array<string, Lock> those that this request has acquired */
    protected $locks = [];

    public function __construct(private readonly Pool $pool, private readonly bool $isPersistent = false)
    {
        if ($isPersistent) {
            $this->lockId = 'persistent';
        }
    }

    /**
     * Starts the timeout of a held lock again. False if another request has it.
     *
     * @param string $name
     * @param float $timeout
     */
    public function acquire($name, $timeout = 30.0): bool
    {
        $timeout = max($timeout, self::SHORTEST);
        $held = $this->locks[$name] ?? null;
        $lock = $held ?? $this->lock($name, $timeout);
        if ($held !== null ? $held->refresh($timeout) : $lock->acquire()) {
            $this->locks[$name] = $lock;
            return true;
        }
        unset($this->locks[$name]);
        return false;
    }

    /** @param string $name */
    public function lockMayBeAvailable($name): bool
    {
        return !$this->lock($name)->isLocked();
    }

    /** @param string $name */
    public function release($name): void
    {
        $lock = $this->locks[$name] ?? null;
        unset($this->locks[$name]);
        if ($this->isPersistent) {
            $this->lock($name)->forceRelease();
        } else {
            $lock?->release();
        }
    }

    /**
     * Those of this request. Locks of another identifier cannot be listed, and stay.
     *
     * @param ?string $lockId
     */
    public function releaseAll($lockId = null): void
    {
        if ($lockId === null || $lockId === '' || $lockId === $this->getLockId()) {
            array_map($this->release(...), array_map(strval(...), array_keys($this->locks)));
        }
    }

    private function lock(string $name, float $timeout = 30.0): Lock
    {
        return new Lock($this->pool, $name, $timeout, autoRelease: !$this->isPersistent);
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Contracts\Cache\LockTimeoutException;
use McPatterns\Lock as Native;
use McPatterns\LockLostException;
use McPatterns\LockTimeoutException as NativeTimeout;
use McPatterns\Pool;
use McPatterns\ServerException;
use Throwable;

/**
 * Laravel's lock over the extension's Lock. A release never releases another holder's lock, and block() does not poll
 * at fixed intervals. A callback of get() or block() releases the lock even if it exits or ends with a fatal error. A
 * lock without a callback is held until its owner releases it or it expires, even if this object is destroyed.
 */
final class Lock extends \Illuminate\Cache\Lock
{
    private readonly Native $lock;

    /** $seconds 0: never expires. */
    public function __construct(private readonly Pool $pool, string $name, int $seconds, ?string $owner = null)
    {
        parent::__construct($name, $seconds, $owner);
        $this->lock = new Native($pool, $name, $this->ttl($seconds), $this->owner, autoRelease: false);
    }

    public function acquire(): bool
    {
        return !$this->lock->isHeld(verify: true) && $this->lock->acquire();
    }

    /** @param callable|null $callback */
    public function get($callback = null): mixed
    {
        $began = false;
        try {
            return $callback === null ? $this->acquire() : $this->run($callback, 0, $began);
        } catch (LockTimeoutException $failure) {
            return $began ? throw $failure : false;
        }
    }

    /**
     * @param int $seconds
     * @param callable|null $callback
     */
    public function block($seconds, $callback = null): mixed
    {
        if ($callback !== null) {
            return $this->run($callback, $seconds);
        }
        return !$this->lock->isHeld(verify: true) && $this->lock->acquire(max(0, $seconds)) ? true : throw new LockTimeoutException();
    }

    public function release(): bool
    {
        return $this->lock->isHeld() && $this->lock->release() || $this->taken(1)->release();
    }

    /** Restarts the TTL. Returns false if this owner no longer holds the lock. */
    public function refresh($seconds = null): bool
    {
        $ttl = $this->ttl($seconds ?? $this->seconds);
        if ($this->lock->isHeld() && $this->lock->refresh($ttl)) {
            return true;
        }
        $taken = $this->taken($ttl);
        return $taken->isHeld() && $taken->detach() === $this->owner;
    }

    public function forceRelease(): void
    {
        $this->lock->forceRelease();
    }

    /** Returns a fencing token. A database that remembers the largest token can reject writes of a previous holder: see McPatterns\Lock::token(). */
    public function token(): int
    {
        return $this->lock->token();
    }

    /** Of anybody. */
    public function isLocked(): bool
    {
        return $this->lock->isLocked();
    }

    protected function getCurrentOwner(): ?string
    {
        return $this->lock->currentOwner();
    }

    /** Takes over the lock that another object with the same owner name acquired, in this process or another. The returned lock is released when it is destroyed, unless it is detached. */
    private function taken(int|float $ttl): Native
    {
        return Native::restore($this->pool, $this->name, $this->owner, $ttl);
    }

    private function ttl(int $seconds): int|float
    {
        return $seconds > 0 ? min($seconds, Store::MOST_SECONDS) : INF;
    }

    /**
     * Does not report a lock that was lost during the callback, as in Laravel. refresh() and token() report it. A lock
     * that another object of this owner has refreshed meanwhile is released, too.
     */
    private function run(callable $callback, int $wait, bool &$began = false): mixed
    {
        if ($this->lock->isHeld(verify: true)) {
            throw new LockTimeoutException();
        }
        $ended = false;
        $result = null;
        try {
            $this->lock->run(function () use ($callback, &$result, &$began, &$ended): void {
                $began = true;
                $result = $callback();
                $ended = true;
            }, max(0, $wait));
        } catch (Throwable $failure) {
            if (!$began) {
                throw $failure instanceof NativeTimeout ? new LockTimeoutException() : $failure;
            }
            try {
                $this->taken(1)->release();
            } catch (ServerException) {
            }
            return $ended && $failure instanceof LockLostException ? $result : throw $failure;
        }
        return $result;
    }
}

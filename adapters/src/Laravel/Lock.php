<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Contracts\Cache\LockTimeoutException;
use McPatterns\Lock as Native;
use McPatterns\LockLostException;
use McPatterns\LockTimeoutException as NativeTimeout;
use McPatterns\Pool;

/**
 * Laravel's lock on the extension's: a release never frees another holder's, block() waits without polling at fixed times,
 * and what get() and block() run gives the lock back even when it exits or dies of a fatal error. A lock without a callback
 * stays until it is released by its owner's name or its seconds are over, whatever becomes of this object.
 */
final class Lock extends \Illuminate\Cache\Lock
{
    private readonly Native $lock;

    /** $seconds 0: no end. */
    public function __construct(private readonly Pool $pool, string $name, int $seconds, ?string $owner = null)
    {
        parent::__construct($name, $seconds, $owner);
        $this->lock = new Native($pool, $name, $this->ttl($seconds), $this->owner, autoRelease: false);
    }

    public function acquire(): bool
    {
        return !$this->lock->isHeld() && $this->lock->acquire();
    }

    /** @param callable|null $callback */
    public function get($callback = null): mixed
    {
        try {
            return $callback === null ? $this->acquire() : $this->run($callback, 0);
        } catch (LockTimeoutException) {
            return false;
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
        return !$this->lock->isHeld() && $this->lock->acquire($seconds) ? true : throw new LockTimeoutException();
    }

    public function release(): bool
    {
        return $this->lock->isHeld() ? $this->lock->release() : $this->taken(1)->release();
    }

    /** Starts the lock's seconds again; false when it is not this owner's any more. */
    public function refresh($seconds = null): bool
    {
        $ttl = $this->ttl($seconds ?? $this->seconds);
        if ($this->lock->isHeld()) {
            return $this->lock->refresh($ttl);
        }
        $taken = $this->taken($ttl);
        return $taken->isHeld() && $taken->detach() === $this->owner;
    }

    public function forceRelease(): void
    {
        $this->lock->forceRelease();
    }

    /** Refuses writes by an older holder where what is written to remembers the largest it has seen: McPatterns\Lock::token(). */
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

    /** Acquired by another object of the same owner's name, in this process or another; released when the answer dies, unless it is detached. */
    private function taken(int|float $ttl): Native
    {
        return Native::restore($this->pool, $this->name, $this->owner, $ttl);
    }

    private function ttl(int $seconds): int|float
    {
        return $seconds > 0 ? min($seconds, Store::MOST_SECONDS) : INF;
    }

    /** A lock that was lost in the middle is not told of, as it is not in Laravel; refresh() and token() do. */
    private function run(callable $callback, int $wait): mixed
    {
        if ($this->lock->isHeld()) {
            throw new LockTimeoutException();
        }
        $began = $ended = false;
        $result = null;
        try {
            $this->lock->run(function () use ($callback, &$result, &$began, &$ended): void {
                $began = true;
                $result = $callback();
                $ended = true;
            }, $wait);
        } catch (NativeTimeout $failure) {
            throw $began ? $failure : new LockTimeoutException();
        } catch (LockLostException $failure) {
            return $ended ? $result : throw $failure;
        }
        return $result;
    }
}

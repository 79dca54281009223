<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use Illuminate\Cache\Events\CacheEvent;
use Illuminate\Cache\Events\CacheHit;
use Illuminate\Cache\Events\CacheMissed;
use Illuminate\Cache\Events\KeyWriteFailed;
use Illuminate\Cache\Events\KeyWritten;
use Illuminate\Cache\Events\WritingKey;
use McPatterns\Cache;
use McPatterns\Clock;
use McPatterns\Refresh;

/** One remember() of a repository: makes the events that Laravel's own would fire, and takes an old null for nothing. */
final class Rebuild
{
    /** Seconds: what the clock, which counts milliseconds, cannot tell apart is no later. */
    private const RESOLUTION = 0.0005;

    private bool $isAnswered = false;
    private bool $isComputed = false;
    private ?int $seconds = null;
    private int $storedBefore = 0;

    public function __construct(
        private readonly Cache $cache,
        private readonly string $item,
        private readonly string $key,
        private readonly ?string $store,
    ) {
    }

    /**
     * @param Closure(mixed): ?int $lifetime of the computed value: seconds, 0 for ever; null: not to be stored; it calls write()
     * @param Closure(): mixed $compute calls begin()
     */
    public function remember(Closure $lifetime, Closure $compute, float $grace, Refresh $refresh, ?int $lease): mixed
    {
        $began = Clock::now();
        $value = $this->cache->remember($this->item, $lifetime, $compute, $grace, $lease, null, $grace > 0, null, null, null, $refresh);
        if ($value === null && !$this->isComputed && !$this->isStoredSince($began)) {
            $value = $this->cache->remember($this->item, $lifetime, $compute, grace: $grace, lease: $lease, stale: false, refresh: $refresh, force: true);
        }
        $this->isAnswered = true;
        return $value;
    }

    public function isComputed(): bool
    {
        return $this->isComputed;
    }

    /** Comes before the computation; null where the caller has its answer. */
    public function begin(): ?CacheEvent
    {
        if ($this->isAnswered) {
            return null;
        }
        $this->isComputed = true;
        return new CacheMissed($this->store, $this->key);
    }

    /** Comes between the computation and the storing, for so many seconds. */
    public function write(mixed $value, int $seconds): CacheEvent
    {
        $this->seconds = $seconds;
        $this->storedBefore = $this->cache->stats()['stored'];
        return new WritingKey($this->store, $this->key, $value, $seconds ?: null);
    }

    /** What became of it; null where nothing was to be stored. */
    public function end(mixed $value): ?CacheEvent
    {
        if (!$this->isComputed) {
            return $value === null ? new CacheMissed($this->store, $this->key) : new CacheHit($this->store, $this->key, $value);
        }
        if ($this->seconds === null) {
            return null;
        }
        $isStored = $this->cache->stats()['stored'] > $this->storedBefore;
        return $isStored ? new KeyWritten($this->store, $this->key, $value, $this->seconds ?: null)
            : new KeyWriteFailed($this->store, $this->key, $value, $this->seconds ?: null);
    }

    /** A null that another computed while this caller waited is its answer; one from before is none. */
    private function isStoredSince(float $began): bool
    {
        $now = Clock::now();
        $age = $this->cache->entry($this->item)->age;
        return $age !== null && $now - $age > $began + self::RESOLUTION;
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use Illuminate\Cache\Events\CacheHit;
use Illuminate\Cache\Events\CacheMissed;
use Illuminate\Cache\Events\KeyWriteFailed;
use Illuminate\Cache\Events\KeyWritten;
use Illuminate\Cache\Events\WritingKey;
use McPatterns\Cache;
use McPatterns\Clock;
use McPatterns\Refresh;

/** One remember() of a repository: fires the events that Laravel's own would, and takes an old null for nothing. */
final class Rebuild
{
    /** Seconds: what the clock, which counts milliseconds, cannot tell apart is no later. */
    private const RESOLUTION = 0.0005;

    private bool $isAnswered = false;
    private bool $isComputed = false;
    private ?int $seconds = null;
    private int $storedBefore = 0;

    /** @param ?Closure(object): void $event fires one; null where none is wanted */
    public function __construct(
        private readonly Cache $cache,
        private readonly string $item,
        private readonly string $key,
        private readonly ?string $store,
        private readonly Closure $compute,
        private readonly ?Closure $event,
    ) {
    }

    /** @param Closure(mixed): ?int $lifetime of the computed value, told by write(): seconds, 0 for ever; null: not to be stored */
    public function remember(Closure $lifetime, float $grace, Refresh $refresh, ?int $lease): mixed
    {
        $began = Clock::now();
        $compute = $this->compute(...);
        $value = $this->cache->remember($this->item, $lifetime, $compute, grace: $grace, lease: $lease, stale: $grace > 0, refresh: $refresh);
        if ($value === null && !$this->isComputed && !$this->isStoredSince($began)) {
            $value = $this->cache->remember($this->item, $lifetime, $compute, grace: $grace, lease: $lease, stale: false, refresh: $refresh, force: true);
        }
        $this->isAnswered = true;
        $this->tell($value);
        return $value;
    }

    public function isComputed(): bool
    {
        return $this->isComputed;
    }

    /** Comes between the computation and the storing, for so many seconds; answers them. */
    public function write(mixed $value, ?int $seconds): ?int
    {
        $this->seconds = $seconds;
        if ($seconds !== null) {
            $this->fire(new WritingKey($this->store, $this->key, $value, $seconds ?: null));
        }
        $this->storedBefore = $this->cache->stats()['stored'];
        return $seconds;
    }

    private function compute(): mixed
    {
        if (!$this->isAnswered) {
            $this->isComputed = true;
            $this->fire(new CacheMissed($this->store, $this->key));
        }
        return ($this->compute)();
    }

    private function fire(object $event): void
    {
        if ($this->event !== null) {
            ($this->event)($event);
        }
    }

    /** A null that another computed while this caller waited is its answer; one from before is none. */
    private function isStoredSince(float $began): bool
    {
        $now = Clock::now();
        $age = $this->cache->entry($this->item)->age;
        return $age !== null && $now - $age > $began + self::RESOLUTION;
    }

    private function tell(mixed $value): void
    {
        if (!$this->isComputed) {
            $this->fire($value === null ? new CacheMissed($this->store, $this->key) : new CacheHit($this->store, $this->key, $value));
        } elseif ($this->seconds !== null) {
            $isStored = $this->cache->stats()['stored'] > $this->storedBefore;
            $this->fire($isStored ? new KeyWritten($this->store, $this->key, $value, $this->seconds ?: null)
                : new KeyWriteFailed($this->store, $this->key, $value, $this->seconds ?: null));
        }
    }
}

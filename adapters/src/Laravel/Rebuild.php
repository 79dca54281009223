<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Events\CacheEvent;
use Illuminate\Cache\Events\KeyWriteFailed;
use Illuminate\Cache\Events\KeyWritten;
use Illuminate\Cache\Events\WritingKey;
use McPatterns\Cache;
use McPatterns\Clock;

/** One computation of a repository's remember(): makes the events of its storing that Laravel's own would fire. */
final class Rebuild
{
    /** Seconds: what the clock, which counts milliseconds, cannot tell apart is no later. */
    private const RESOLUTION = 0.0005;

    private ?int $seconds = null;
    private int $storedBefore = 0;

    public function __construct(
        private readonly Cache $cache,
        private readonly string $key,
        private readonly ?string $store,
    ) {
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
        if ($this->seconds === null) {
            return null;
        }
        $isStored = $this->cache->stats()['stored'] > $this->storedBefore;
        return $isStored ? new KeyWritten($this->store, $this->key, $value, $this->seconds ?: null)
            : new KeyWriteFailed($this->store, $this->key, $value, $this->seconds ?: null);
    }

    /** A null that another computed while this caller waited is its answer; one from before is none. */
    public static function isStoredSince(Cache $cache, string $item, float $began): bool
    {
        $now = Clock::now();
        $age = $cache->entry($item)->age;
        return $age !== null && $now - $age > $began + self::RESOLUTION;
    }
}

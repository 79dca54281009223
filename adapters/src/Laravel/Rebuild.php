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
use McPatterns\Refresh;

/** One remember() of a repository: fires the events that Laravel's own would, and takes an old null for nothing. */
final class Rebuild
{
    private bool $isAnswered = false;
    private bool $isComputed = false;
    private ?int $seconds = null;
    private int $storedBefore = 0;

    /**
     * @param Closure(object): void $event
     * @param callable(): mixed $compute
     * @param Closure(mixed): ?int $lifetime seconds, 0 for ever; null: not to be stored
     */
    public function __construct(
        private readonly string $key,
        private readonly ?string $store,
        private readonly Closure $event,
        private readonly mixed $compute,
        private readonly Closure $lifetime,
    ) {
    }

    public function remember(Cache $cache, string $itemKey, float $grace, Refresh $refresh, ?int $lease): mixed
    {
        $waitedBefore = $cache->stats()['waited'];
        $ask = fn (bool $force): mixed => $cache->remember($itemKey, fn (mixed $value): ?int => $this->write($cache, $value), $this->compute(...),
            grace: $grace, lease: $lease, stale: $grace > 0 && !$force, refresh: $refresh, force: $force);
        $value = $ask(false);
        // A null that another computed while this caller waited is its answer; one from before is none.
        if ($value === null && !$this->isComputed && $cache->stats()['waited'] === $waitedBefore) {
            $value = $ask(true);
        }
        $this->isAnswered = true;
        $this->tell($cache, $value);
        return $value;
    }

    public function isComputed(): bool
    {
        return $this->isComputed;
    }

    private function compute(): mixed
    {
        if (!$this->isAnswered) {
            $this->isComputed = true;
            ($this->event)(new CacheMissed($this->store, $this->key));
        }
        return ($this->compute)();
    }

    /** Between the computation and the storing. */
    private function write(Cache $cache, mixed $value): ?int
    {
        $this->seconds = ($this->lifetime)($value);
        if ($this->seconds !== null) {
            ($this->event)(new WritingKey($this->store, $this->key, $value, $this->seconds ?: null));
        }
        $this->storedBefore = $cache->stats()['stored'];
        return $this->seconds;
    }

    private function tell(Cache $cache, mixed $value): void
    {
        if (!$this->isComputed) {
            ($this->event)($value === null ? new CacheMissed($this->store, $this->key) : new CacheHit($this->store, $this->key, $value));
        } elseif ($this->seconds !== null) {
            $isStored = $cache->stats()['stored'] > $this->storedBefore;
            ($this->event)($isStored ? new KeyWritten($this->store, $this->key, $value, $this->seconds ?: null)
                : new KeyWriteFailed($this->store, $this->key, $value, $this->seconds ?: null));
        }
    }
}

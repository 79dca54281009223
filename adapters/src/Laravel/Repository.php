<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Events\CacheFlushed;
use Illuminate\Cache\Events\CacheFlushFailed;
use Illuminate\Cache\Events\CacheFlushing;
use Illuminate\Cache\Events\CacheHit;
use Illuminate\Cache\Events\KeyWriteFailed;
use Illuminate\Cache\Events\KeyWritten;
use Illuminate\Cache\Events\RetrievingManyKeys;
use Illuminate\Cache\Events\WritingKey;

use function Illuminate\Support\enum_value;

/** What Cache::store('mcpatterns') is: Laravel's repository, but that remember(), flexible(), pull(), add() and funnel() are the extension's own. */
final class Repository extends \Illuminate\Cache\Repository
{
    use Remembers;

    /**
     * Prefetches values for get(), remember() and flexible(), in 1 round trip per server.
     *
     * @param iterable<mixed> $keys
     */
    public function prefetch(iterable $keys): void
    {
        $names = [];
        foreach ($keys as $key) {
            $names[] = $this->itemKey(Name::of($key));
        }
        $this->values()->prefetch($names);
    }

    /**
     * Reads what the last requests of the route asked get(), remember() and flexible() for, and learns what this one asks for
     * until closeRoute(). PrefetchRoute calls both.
     *
     * @param string $route its name, without an address or a parameter
     * @param string $except regular expression of keys that are always asked for anew
     */
    public function openRoute(string $route, string $except = ''): void
    {
        $this->values()->openRoute($route, $except);
    }

    public function closeRoute(): void
    {
        $this->values()->closeRoute();
    }

    /**
     * As Laravel's, without a collection.
     *
     * @param array<array-key, mixed> $keys
     * @return array<array-key, mixed>
     */
    public function many(array $keys): array
    {
        $this->event(new RetrievingManyKeys($this->getName(), $keys));
        $names = [];
        foreach ($keys as $key => $value) {
            $names[] = is_string($key) ? $key : (is_string($value) ? $value : enum_value($value));
        }
        $values = $this->store->many($names);
        $store = $this->getName();
        foreach ($values as $key => $value) {
            if ($value === null) {
                $values[$key] = $this->handleManyResult($keys, $key, null);
            } else {
                $this->event(new CacheHit($store, $key, $value));
            }
        }
        return $values;
    }

    /** As Laravel's, here and in clear(), but that no event is created without a listener. */
    public function forever($key, $value): bool
    {
        $name = \is_string($key) ? $key : Name::of($key);
        $this->tell(WritingKey::class, $name, $value);
        $isStored = $this->store->forever($name, $value);
        $this->tell($isStored ? KeyWritten::class : KeyWriteFailed::class, $name, $value);
        return $isStored;
    }

    public function clear(): bool
    {
        $this->tell(CacheFlushing::class);
        $isFlushed = $this->store->flush();
        $this->tell($isFlushed ? CacheFlushed::class : CacheFlushFailed::class);
        return $isFlushed;
    }

    /** As Laravel's, but that a string is not asked whether it is a case of an enum. */
    public function increment($key, $value = 1): int|bool
    {
        return $this->store->increment(is_string($key) ? $key : Name::of($key), $value);
    }

    public function decrement($key, $value = 1): int|bool
    {
        return $this->store->decrement(is_string($key) ? $key : Name::of($key), $value);
    }

    /**
     * Laravel's own dispatcher does not get events without listeners: their dispatch takes longer than the call.
     *
     * @param object|string $event
     */
    protected function event($event): void
    {
        if ($this->isHeard(\is_object($event) ? $event::class : $event)) {
            $this->events?->dispatch($event);
        }
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use DateInterval;
use DateTimeInterface;
use Illuminate\Cache\Events\CacheEvent;
use Illuminate\Cache\Events\CacheHit;
use Illuminate\Cache\Events\CacheMissed;
use Illuminate\Cache\Events\ForgettingKey;
use Illuminate\Cache\Events\KeyForgotten;
use Illuminate\Cache\Events\RetrievingKey;
use Illuminate\Events\Dispatcher;
use InvalidArgumentException;
use LogicException;
use McPatterns\Adapters\Decoded;
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\Clock;
use McPatterns\Entry;
use McPatterns\Refresh;
use McPatterns\Status;

/** Methods that Laravel's repository composes of several calls, and that the extension executes in one call. */
trait Remembers
{
    use RemembersWithWarmth;

    /**
     * One process computes the value. The others wait for it or, with a `grace` in the store's configuration, get the
     * stale value. A null is returned, and computed again by the next caller.
     */
    public function remember($key, $ttl, Closure $callback): mixed
    {
        return $this->rebuild($key, $ttl, $callback, is_numeric($grace = $this->config['grace'] ?? 0) ? (float) $grace : 0.0);
    }

    public function rememberForever($key, Closure $callback): mixed
    {
        return $this->rebuild($key, null, $callback, 0.0);
    }

    /**
     * After the first number of seconds, one process rebuilds the value, after its response if the SAPI supports that.
     * All others get the stale value until the second number of seconds. $lock['seconds']: lease of the rebuild.
     * $alwaysDefer has no effect, because the rebuild does not depend on the success of the request. A $callback that
     * is not a Closure is the value itself, as in Laravel.
     */
    public function flexible($key, $ttl, $callback, $lock = null, $alwaysDefer = false): mixed
    {
        [$fresh, $stale] = array_map($this->getSeconds(...), $ttl);
        $lease = is_array($lock) && ($lock['seconds'] ?? 0) > 0 ? $lock['seconds'] : null;
        $compute = $callback instanceof Closure ? $callback : fn (): mixed => value($callback);
        return $this->rebuild($key, max(1, $fresh), $compute, min(max(0, $stale - $fresh), Store::MOST_SECONDS), Refresh::AfterResponse, $lease);
    }

    /**
     * Only one of concurrent callers gets the value.
     *
     * @param \UnitEnum|array<array-key, mixed>|string $key
     */
    public function pull($key, $default = null): mixed
    {
        $name = Name::of($key);
        $this->event(new RetrievingKey($this->getName(), $name));
        $value = Decoded::one(fn (): mixed => $this->values()->cache()->pull($this->itemKey($name)), null);
        if ($value === null) {
            $this->event(new CacheMissed($this->getName(), $name));
            return value($default);
        }
        $this->event(new CacheHit($this->getName(), $name, $value));
        $this->event(new ForgettingKey($this->getName(), $name));
        $this->event(new KeyForgotten($this->getName(), $name));
        return $value;
    }

    /**
     * Atomic, with and without a TTL.
     *
     * @param \UnitEnum|array<array-key, mixed>|string $key
     */
    public function add($key, $value, $ttl = null): bool
    {
        $seconds = $ttl === null ? 0 : $this->getSeconds($ttl);
        return ($ttl === null || $seconds > 0) && $this->values()->add($this->itemKey(Name::of($key)), $value, $seconds);
    }

    /**
     * @param \UnitEnum|string $key
     * @param int $value
     */
    public function increment($key, $value = 1): int|false
    {
        return $this->values()->increment($this->itemKey(Name::of($key)), $value);
    }

    /**
     * @param \UnitEnum|string $key
     * @param int $value
     */
    public function decrement($key, $value = 1): int|false
    {
        return $this->values()->decrement($this->itemKey(Name::of($key)), $value);
    }

    public function funnel($name): Funnel
    {
        return new Funnel($this, Name::of($name));
    }

    public function setStore($store): static
    {
        \assert($store instanceof Store);
        return parent::setStore($store);
    }

    private function values(): Store
    {
        \assert($this->store instanceof Store);
        return $this->store;
    }

    private function rebuild(mixed $key, mixed $ttl, Closure $callback, float $grace, Refresh $refresh = Refresh::Inline, ?int $lease = null): mixed
    {
        $name = \is_string($key) ? $key : Name::of($key);
        $this->tell(RetrievingKey::class, $name);
        $values = $this->values()->cache();
        $item = $this->itemKey($name);
        $this->values()->note($item);
        $isFlexible = $refresh === Refresh::AfterResponse;
        /** @var Rebuild|false|null $rebuild null: not computed yet; false: this caller already has its result */
        $rebuild = null;
        // Each captured variable makes a hit slower.
        $compute = function (Entry $there) use (&$rebuild, $name, $callback, $isFlexible): mixed {
            $isFirst = $rebuild === null;
            $rebuild = new Rebuild($this->values()->cache(), $name, $this->getName());
            $isFirst && $this->tell(CacheMissed::class, $name);
            return $rebuild->run($callback, $there->status !== Status::Miss, $isFlexible);
        };
        $lifetime = function (mixed $value) use (&$rebuild, $ttl): DateInterval|int|float|null {
            \assert($rebuild instanceof Rebuild);
            $seconds = $rebuild->isAnswered() ? null : $this->lifetime(value($ttl, $value));
            $this->fire($seconds === null ? null : $rebuild->write($value, $seconds));
            return $seconds === null ? null : Seconds::ttl($seconds);
        };
        $kept = Seconds::ttl($grace);
        $began = Clock::now();
        try {
            $value = $values->remember($item, $lifetime, $compute, $kept, $lease, null, $grace > 0, $isFlexible ?: null, null, null, $refresh);
            if ($value === null && $rebuild === null && !Rebuild::isStoredSince($values, $item, $began)) {
                $value = $values->remember($item, $lifetime, $compute, grace: $kept, lease: $lease, stale: false, refresh: $refresh, force: true);
            }
        } catch (LogicException $recursion) {
            if ($rebuild !== null || $recursion::class !== LogicException::class) {
                throw $recursion;
            }
            // The callback has read its own key. It is called, as with Laravel's stores, and the outer call's value is
            // stored.
            $this->tell(CacheMissed::class, $name);
            return $callback();
        }
        if ($rebuild instanceof Rebuild) {
            $this->fire($rebuild->end($value));
            return $value;
        }
        $rebuild = false;
        $value === null ? $this->tell(CacheMissed::class, $name) : $this->tell(CacheHit::class, $name, $value);
        return $value;
    }

    /**
     * Creates the event only if it has a listener: creation takes longer than the other steps of a hit.
     *
     * @param class-string $event whose first parameter is the store's name
     */
    private function tell(string $event, mixed ...$about): void
    {
        $this->isHeard($event) && $this->event(new $event($this->getName(), ...$about));
    }

    private function isHeard(string $event): bool
    {
        $events = $this->events;
        return $events !== null && ($events::class !== Dispatcher::class || $events->hasListeners($event));
    }

    private function fire(?CacheEvent $event): void
    {
        if ($event !== null) {
            $this->event($event);
        }
    }

    /** Returns the TTL in seconds. 0: never expires. null: do not store. */
    private function lifetime(mixed $ttl): ?int
    {
        if ($ttl === null) {
            return 0;
        }
        if (!is_int($ttl) && !$ttl instanceof DateTimeInterface && !$ttl instanceof DateInterval) {
            $ttl = is_numeric($ttl) ? (int) $ttl : throw new InvalidArgumentException('A TTL must be seconds, a date or an interval, ' . get_debug_type($ttl) . ' given.');
        }
        $seconds = $this->getSeconds($ttl);
        return $seconds > 0 ? min($seconds, Store::MOST_SECONDS) : null;
    }
}

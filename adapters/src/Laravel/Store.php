<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use BadMethodCallException;
use Illuminate\Cache\TaggableStore;
use Illuminate\Contracts\Cache\LockProvider;
use McPatterns\Adapters\{Changed, Decoded, LearnedKeys};
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\Cache;
use McPatterns\Pool;
use McPatterns\ServerException;
use McPatterns\StoredValueException;
use McPatterns\TooLargeException;
use RuntimeException;
use Throwable;

/**
 * Laravel's view of a Cache without a grace: a value exists until its TTL expires, and null counts as missing. If a
 * server is down, reads miss and writes return false. Locks throw ServerException, because an unreachable server does
 * not mean that the lock is held.
 */
final class Store extends TaggableStore implements FlushesLocks, LockProvider
{
    /** The longest TTL that the extension accepts, 317 years. Longer TTLs are shortened to it. */
    public const MOST_SECONDS = Seconds::MOST;

    private Pool $pool;
    private Pool $lockPool;
    private Cache $cache;
    /** The same with `stale: false`. */
    private Cache $strict;
    private bool $hasCopies;
    private ?LearnedKeys $learned = null;

    public function __construct(private Settings $settings)
    {
        $this->open();
    }

    /** Returns values of flexible() until the second of its numbers. Here and in many(), a value whose own code throws counts as a miss. */
    public function get($key): mixed
    {
        $this->learned?->note((string) $key);
        try {
            return $this->cache->peek((string) $key);
        } catch (Throwable) {    // thrown by the value's code, because reads never throw because of a server
            return null;
        }
    }

    /**
     * Prefetches values for get() and the repository's remember(), in 1 round trip per server: Cache::prefetch().
     *
     * @param iterable<array-key> $keys
     */
    public function prefetch(iterable $keys): void
    {
        $this->cache->prefetch($keys);
    }

    /**
     * Reads what the last requests of the route asked for, and learns what this one asks for until closeRoute().
     *
     * @param string $route its name, without an address or a parameter
     * @param string $except regular expression of keys that are always asked for anew
     */
    public function openRoute(string $route, string $except = ''): void
    {
        $lists = new Cache($this->pool, 'laravel-page:', ttl: LearnedKeys::LIFE, near: LearnedKeys::NEAR);
        $this->learned = new LearnedKeys($lists, $route, $except);
        $this->cache->prefetch($this->learned->keys());
    }

    public function closeRoute(): void
    {
        $this->learned?->close();
        $this->learned = null;
    }

    /** What the repository asks for without get(). */
    public function note(string $key): void
    {
        $this->learned?->note($key);
    }

    /**
     * What flexible() keeps is found until the first of its numbers.
     *
     * @param array<array-key> $keys
     * @return array<array-key, mixed> null for missing keys
     */
    public function many(array $keys): array
    {
        return Decoded::many($this->strict, array_map(strval(...), array_values($keys)), null);
    }

    /**
     * Returns false if the value was not stored, for example because it is too large. Returns true if 'guarded' has
     * prevented the store because the key was deleted meanwhile, which is not a failure. $seconds 0: never expires.
     */
    public function put($key, $value, $seconds): bool
    {
        try {
            return $this->cache->set((string) $key, $value, Seconds::ttl($seconds)) || Changed::alone($this->cache);
        } catch (TooLargeException) {
            return false;
        }
    }

    /** @param array<array-key, mixed> $values */
    public function putMany(array $values, $seconds): bool
    {
        try {
            return $this->cache->setMultiple($values, Seconds::ttl($seconds)) || Changed::alone($this->cache);
        } catch (TooLargeException) {
            return false;
        }
    }

    /** Atomic: exactly one of concurrent callers stores. */
    public function add(string|int $key, mixed $value, int $seconds): bool
    {
        try {
            return $this->cache->add((string) $key, $value, Seconds::ttl($seconds));
        } catch (TooLargeException) {
            return false;
        }
    }

    /**
     * A missing number starts at 0 and never expires. A number that is not negative stops at 0. A numeric string counts
     * as its integer part. Returns false if the value is not a number, or the server is down.
     */
    public function increment($key, $value = 1, int $seconds = 0): int|false
    {
        $by = is_int($value) ? $value : self::step($value);
        if (!$this->hasCopies) {
            try {
                return $this->cache->increment((string) $key, $by, 0, Seconds::ttl($seconds));
            } catch (StoredValueException) {    // not an integer, but possibly a numeric string
            }
        }
        return $this->countInValue((string) $key, $by, $seconds);
    }

    public function decrement($key, $value = 1): int|false
    {
        return $this->increment($key, -self::step($value));
    }

    public function forever($key, $value): bool
    {
        return $this->put($key, $value, 0);
    }

    /**
     * Sets a new TTL for an existing value. Returns false if no value exists.
     *
     * @param string $key
     * @param int $seconds
     */
    public function touch($key, $seconds): bool
    {
        return $this->cache->touch((string) $key, Seconds::ttl($seconds));
    }

    /** $seconds 0: no end. */
    public function lock($name, $seconds = 0, $owner = null): Lock
    {
        return new Lock($this->lockPool, $name, (int) $seconds, $owner);
    }

    public function restoreLock($name, $owner): Lock
    {
        return $this->lock($name, 0, $owner);
    }

    /** Everything on the servers of 'lock_servers': all locks, and the permits of funnel(). False when a server could not be told. */
    public function flushLocks(): bool
    {
        if (!$this->hasSeparateLockStore()) {
            throw new RuntimeException("Flushing locks is only supported when the lock store is separate from the cache store: set 'lock_servers' to servers that have nothing else.");
        }
        return $this->lockPool->flush();
    }

    public function hasSeparateLockStore(): bool
    {
        return array_intersect(array_map(self::address(...), $this->lockPool->servers()), array_map(self::address(...), $this->pool->servers())) === [];
    }

    /** Whether there was something. */
    public function forget($key): bool
    {
        return $this->cache->forget((string) $key);
    }

    /** Deletes all values under the prefix. Other data on the servers and locks are kept. */
    public function flush(): bool
    {
        if ($this->hasCopies) {
            throw new BadMethodCallException("A cache store with 'copies' cannot be cleared: change its 'prefix', or delete all data of its servers, "
                . 'including other data, with Cache::getStore()->pool()->flush().');
        }
        return $this->cache->clear();
    }

    public function getPrefix(): string
    {
        return $this->settings->prefix();
    }

    /** Sets the prefix of keys, tags, locks and permits. Data under another prefix is kept. */
    public function setPrefix(?string $prefix): void
    {
        $this->settings = $this->settings->withPrefix((string) $prefix);
        $this->open();
    }

    public function tags($names): TaggedCache
    {
        if ($this->hasCopies) {
            throw new BadMethodCallException("A cache store with 'copies' cannot have tags: remove 'copies', or use tags in another cache store.");
        }
        $names = array_map(Name::of(...), array_values(is_array($names) ? $names : func_get_args()));
        $tagged = $names === [] ? $this : $this->tagged(array_map(Name::ofTag(...), $names));
        return new TaggedCache($tagged, new TagSet($this, $names));
    }

    /** Features of the extension that Laravel's interfaces do not have. */
    public function cache(): Cache
    {
        return $this->cache;
    }

    public function pool(): Pool
    {
        return $this->pool;
    }

    /** Of locks and permits. */
    public function lockPool(): Pool
    {
        return $this->lockPool;
    }

    private function open(): void
    {
        $this->pool = $this->settings->pool();
        $this->lockPool = $this->settings->lockPool() ?? $this->pool;
        $this->cache = $this->settings->cache($this->pool);
        $this->strict = $this->settings->cache($this->pool, stale: false);
        $this->hasCopies = $this->settings->hasCopies();
    }

    /** Changes the value itself and keeps its expiry, because a running number belongs to an integer. */
    private function countInValue(string $key, int $by, int $seconds): int|false
    {
        $there = $this->cache->entry($key);
        $ttl = $there->age === null ? $seconds : max(0.001, $there->expiresIn ?? self::MOST_SECONDS);
        try {
            return $this->cache->update($key, fn (mixed $old): int => self::sum($old ?? 0, $by), Seconds::ttl($ttl));
        } catch (StoredValueException|ServerException) {
            return false;
        }
    }

    /** Counts like Cache::increment(). */
    private static function sum(mixed $number, int $by): int
    {
        $sum = is_numeric($number) ? (int) $number + $by : null;
        return is_int($sum) ? max($number < 0 ? PHP_INT_MIN : 0, $sum) : throw new StoredValueException('the stored value is not an integer');
    }

    /** @param list<string> $tags */
    private function tagged(array $tags): self
    {
        $tagged = clone $this;
        $tagged->learned = null;
        $tagged->cache = $this->cache->tagged($tags);
        $tagged->strict = $this->strict->tagged($tags);
        return $tagged;
    }

    /** @param array{host: string, port: int, ...} $server */
    private static function address(array $server): string
    {
        return "$server[host]:$server[port]";
    }

    /** One whose negative is an integer, too. */
    private static function step(mixed $value): int
    {
        return is_numeric($value) ? max(-PHP_INT_MAX, (int) $value) : 1;
    }
}

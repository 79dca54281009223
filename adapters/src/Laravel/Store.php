<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\TaggableStore;
use Illuminate\Contracts\Cache\LockProvider;
use McPatterns\Cache;
use McPatterns\Pool;
use McPatterns\StoredValueException;
use McPatterns\TooLargeException;

/**
 * Laravel's view of a Cache without a grace: a value is there until its TTL ends, and null is as good as none. A server
 * that is down is a miss, and false for writes; locks throw ServerException, because "could not ask" is not "taken".
 */
final class Store extends TaggableStore implements LockProvider
{
    /** The longest TTL that the extension takes, of 317 years; what is to last longer lasts so long. */
    public const MOST_SECONDS = 10_000_000_000;

    /** $strict: the same with `stale: false`. $prefix: the pool's, which keys, tags, locks and permits all have before them. */
    public function __construct(
        private readonly Pool $pool,
        private readonly Cache $cache,
        private readonly Cache $strict,
        private readonly string $prefix = '',
    ) {
    }

    /** What flexible() keeps is found until the second of its numbers. */
    public function get($key): mixed
    {
        return $this->cache->peek((string) $key);
    }

    /**
     * What flexible() keeps is found until the first of its numbers.
     *
     * @param array<array-key> $keys
     * @return array<array-key, mixed> null for what is not there
     */
    public function many(array $keys): array
    {
        return $this->strict->getMultiple($keys);
    }

    /** False when it was not stored, also because it is too large. $seconds 0: no end. */
    public function put($key, $value, $seconds): bool
    {
        try {
            return $this->cache->set((string) $key, $value, min($seconds, self::MOST_SECONDS));
        } catch (TooLargeException) {
            return false;
        }
    }

    /** @param array<array-key, mixed> $values */
    public function putMany(array $values, $seconds): bool
    {
        try {
            return $this->cache->setMultiple($values, min($seconds, self::MOST_SECONDS));
        } catch (TooLargeException) {
            return false;
        }
    }

    /** Atomic: of all that try at once one stores. */
    public function add(string|int $key, mixed $value, int $seconds): bool
    {
        try {
            return $this->cache->add((string) $key, $value, min($seconds, self::MOST_SECONDS));
        } catch (TooLargeException) {
            return false;
        }
    }

    /** A number that is not there begins at 0 and has no end. False when the value is no integer, or the server is down. */
    public function increment($key, $value = 1): int|false
    {
        return $this->count((string) $key, is_numeric($value) ? (int) $value : 1);
    }

    /** Stops at 0. */
    public function decrement($key, $value = 1): int|false
    {
        return $this->count((string) $key, is_numeric($value) ? -(int) $value : -1);
    }

    public function forever($key, $value): bool
    {
        return $this->put($key, $value, 0);
    }

    /**
     * A new TTL for the value that is there; false when none is.
     *
     * @param string $key
     * @param int $seconds
     */
    public function touch($key, $seconds): bool
    {
        return $this->cache->touch((string) $key, min($seconds, self::MOST_SECONDS));
    }

    /** $seconds 0: no end. */
    public function lock($name, $seconds = 0, $owner = null): Lock
    {
        return new Lock($this->pool, $name, (int) $seconds, $owner);
    }

    public function restoreLock($name, $owner): Lock
    {
        return $this->lock($name, 0, $owner);
    }

    /** Whether there was something. */
    public function forget($key): bool
    {
        return $this->cache->forget((string) $key);
    }

    /** Everything under the prefix, and nothing else on the servers; locks stay. */
    public function flush(): bool
    {
        return $this->cache->clear();
    }

    public function getPrefix(): string
    {
        return $this->prefix;
    }

    public function tags($names): TaggedCache
    {
        $names = array_map(Name::of(...), array_values(is_array($names) ? $names : func_get_args()));
        $tags = array_map(Name::ofTag(...), $names);
        $tagged = $tags === [] ? $this : new self($this->pool, $this->cache->tagged(...$tags), $this->strict->tagged(...$tags), $this->prefix);
        return new TaggedCache($tagged, new TagSet($this, $names));
    }

    /** What the extension can and Laravel's interfaces do not say. */
    public function cache(): Cache
    {
        return $this->cache;
    }

    public function pool(): Pool
    {
        return $this->pool;
    }

    private function count(string $key, int $by): int|false
    {
        try {
            return $this->cache->increment($key, $by, initial: 0, ttl: 0);
        } catch (StoredValueException) {
            return false;
        }
    }
}

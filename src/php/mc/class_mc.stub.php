<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * The static wrapper of A. Smirnov's "Web, caching and memcached" (2008), to take the place of a
 * site's own class without touching its callers. `mcpatterns.mc_alias = On` also registers it as the
 * global class MC. Nothing here throws: a miss, a dead server and an impossible value are FALSE.
 *
 * With `mcpatterns.mc_legacy = On` (php.ini only) get() also reads what the published PHP code stored, as
 * long as it lives, whether pecl-memcache or php-memcached wrote it: only items whose flags say that
 * they are serialized, and none with an object in it; nothing where the Pool has a signing key, for nobody
 * has signed it. That code reads ours as misses: switch host by host, or all at once.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
class MC
{
    /** Chooses the cache that all other methods work on. Otherwise one on Pool::default(). */
    public static function use(Cache $cache): void {}

    /**
     * The value; FALSE on a miss, and for the one caller that is elected to set() it anew after its
     * timeout, while the others get the old value. 1 round trip, 2 when elected.
     *
     * @param mixed $key
     */
    public static function get($key = null): mixed {}

    /**
     * Stores for $timeout seconds, and an old value for as long again. 0 or more than 1295999 (15 days
     * less a second) becomes 1295999. $flag: pecl-memcache's compress bit (2) compresses the value
     * also where it is shorter than the Pool's compressAbove, if that saves an eighth. 1 round trip.
     *
     * @param mixed $key
     * @param mixed $data
     * @param mixed $flag
     * @param mixed $timeout
     */
    public static function set($key = null, $data = null, $flag = false, $timeout = 3600): bool {}

    /**
     * TRUE when the key is gone. 1 round trip.
     *
     * @param mixed $key
     */
    public static function delete($key = null): bool {}

    /**
     * The new number, or FALSE when there is no integer under the key. 2 round trips.
     *
     * @param mixed $key
     * @param mixed $increment
     */
    public static function increment($key = null, $increment = 1): int|false {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * The static wrapper of A. Smirnov, "Web, caching and memcached" (2008). It replaces the class of a site without
 * changes in its callers.
 *
 * With `mcpatterns.mc_alias = 1`, it is also the global class MC. MC throws nothing. It returns FALSE for a miss, for a
 * server that is down and for an impossible value. See docs/migrate/mc-class.md.
 *
 * With `mcpatterns.mc_legacy = 1` (php.ini only), get() also reads values that the published PHP code stored through
 * pecl-memcache or php-memcached. It reads only items whose flags say that they are serialized, and no objects. If the
 * Pool has a signing key, it reads none of them, because they are not signed.
 *
 * For the published code, values of this class are misses. Therefore, hosts can be switched one by one, or all at once.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
class MC
{
    /**
     * Sets the Cache that all other methods use. Without this call, they use one on Pool::default().
     *
     * Cost: none.
     */
    public static function use(Cache $cache): void {}

    /**
     * Returns the value, or FALSE on a miss.
     *
     * After the timeout, one caller is elected. It gets FALSE and should set() the new value. The others get the stale
     * value.
     *
     * Cost: 1 round trip, 2 if elected.
     *
     * @param mixed $key A non-empty string.
     */
    public static function get($key = null): mixed {}

    /**
     * Stores the value.
     *
     * Cost: 1 round trip.
     *
     * @param mixed $key A non-empty string.
     * @param mixed $data The value.
     * @param mixed $flag With bit 2, pecl-memcache's compress bit, a value below the Pool's compressAbove is
     *        compressed, too, if that saves 1/8.
     * @param mixed $timeout Seconds until the value is stale. It can be served as stale for as long again. 0 and values
     *        above 1295999 (15 days less 1 s) become 1295999.
     *
     * @return bool TRUE if the server acknowledged the write.
     */
    public static function set($key = null, $data = null, $flag = false, $timeout = 3600): bool {}

    /**
     * Deletes the key.
     *
     * Cost: 1 round trip.
     *
     * @param mixed $key A non-empty string.
     *
     * @return bool TRUE if the key does not exist afterwards.
     */
    public static function delete($key = null): bool {}

    /**
     * Adds to a stored integer and returns the new number.
     *
     * Cost: 2 round trips.
     *
     * @param mixed $key A non-empty string.
     * @param mixed $increment The number to add.
     *
     * @return int|false FALSE if the key has no integer, or if the server is down.
     */
    public static function increment($key = null, $increment = 1): int|false {}
}

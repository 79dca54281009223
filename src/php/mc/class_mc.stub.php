<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Provides the static cache class of A. Smirnov, "Web, caching and memcached" (2008). It can replace a site's own copy
 * of that class without changes in the calling code.
 *
 * With `mcpatterns.mc_alias = 1`, this class is also the global class MC. MC never throws. It returns FALSE on a miss,
 * if the server is down, and if the value cannot be stored. See docs/migrate/mc-class.md.
 *
 * With `mcpatterns.mc_legacy = 1` (php.ini only), get() also reads values that the published PHP code stored through
 * pecl-memcache or php-memcached. It reads only items whose flags mark them as serialized, and ignores items that
 * contain objects. If the Pool has a signing key, get() ignores all these items, because they are not signed.
 *
 * The published code cannot read the values of this class. You can switch your hosts to this class one by one or all
 * together.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
class MC
{
    /**
     * Sets the Cache that all other methods use. Without this call, they use a Cache on Pool::default().
     *
     * Cost: none.
     */
    public static function use(Cache $cache): void {}

    /**
     * Returns the value, or FALSE on a miss.
     *
     * When the $timeout of set() has passed, one caller is elected. It gets FALSE and should call set() with the new
     * value. The others get the stale value.
     *
     * Cost: 1 round trip, 2 if this caller is elected.
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
     * @param mixed $flag If MEMCACHE_COMPRESSED (2) is set, a value shorter than the Pool's compressAbove is also
     *        compressed, if that saves at least 1/8.
     * @param mixed $timeout Seconds until the value is stale. After that, the stale value can be served for the same
     *        number of seconds. 0 and values above 1295999 (15 days less 1 s) become 1295999.
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
     * @return bool TRUE if the key no longer exists, even if it did not exist before.
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
     * @return int|false FALSE if no value exists, if the value is not an integer, or if the server is down.
     */
    public static function increment($key = null, $increment = 1): int|false {}
}

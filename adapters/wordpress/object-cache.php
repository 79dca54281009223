<?php
/**
 * Plugin Name: mcpatterns object cache
 * Description: WordPress' object cache in memcached, by the PHP extension mcpatterns. Copy this file into wp-content/.
 * When a transient expires, one request rebuilds it, and all other requests get the stale value meanwhile.
 * A value that a request has read from the database before a change is not stored after the change. All keys of a page are
 * read in one round trip. Without the extension, or with invalid settings, WordPress works as without this file, and shows
 * a notice to administrators.
 *
 * Optional constants in wp-config.php, above the line that loads wp-settings.php:
 *     define('MCPATTERNS_SERVERS', ['10.0.0.5:11211', '10.0.0.6:11211']);     default: mcpatterns.servers of php.ini
 *     define('MCPATTERNS_GRACE', 300);                    seconds for which other requests get a stale value while one rebuilds it
 *     define('MCPATTERNS_GUARDED', false);                accept values that were read before a change, like other object caches
 *     define('MCPATTERNS_AHEAD', false);                  request each key separately instead of all keys of a page together
 *     define('MCPATTERNS_NEAR', 5);                       seconds for which this host serves values from its memory; changes of other hosts are visible after that time
 *     define('MCPATTERNS_POOL', ['timeout' => 0.2]);      further parameters of McPatterns\Pool; the default 'signingKey' is derived from AUTH_KEY
 *     define('WP_CACHE_KEY_SALT', 'shop');                distinguishes sites that share servers and a database name
 */
/* SPDX-License-Identifier: MIT */

use McPatterns\Cache;
use McPatterns\Pool;
use McPatterns\ServerException;
use McPatterns\StoredValueException;
use McPatterns\Transport;
use McPatterns\UnstorableException;

if (!defined('ABSPATH')) {
    exit;
}

/* All other code is declared under a condition, because PHP would otherwise declare it even if this file returns
 * before. */
if (!function_exists('mcpatterns_object_cache_pool')) {
    /** @throws Error if a setting is invalid */
    function mcpatterns_object_cache_pool(): Pool
    {
        static $pool = null;
        if (!$pool instanceof Pool) {
            $site = mcpatterns_setting('WP_CACHE_KEY_SALT', [mcpatterns_setting('DB_NAME', ABSPATH), $GLOBALS['table_prefix'] ?? '']);
            $pool = (new ReflectionClass(Pool::class))->newInstanceArgs((array) mcpatterns_setting('MCPATTERNS_POOL', []) + [
                'servers' => mcpatterns_setting('MCPATTERNS_SERVERS', null),
                'prefix' => 'wp-' . substr(hash('sha256', serialize($site)), 0, 12) . ':',
                'signingKey' => mcpatterns_object_cache_key(),
                'transport' => Transport::Direct,
            ]);
            $pool->onError(mcpatterns_object_cache_log(...));
        }
        return $pool;
    }

    /**
     * Logs each failure of a server once, and not again while the server is skipped, in this request and the next
     * requests.
     *
     * @param array{kind: string, server: string, at: float, ...} $context
     */
    function mcpatterns_object_cache_log(string $message, array $context): void
    {
        /** @var array<string, float> $told */
        static $told = [];
        ['kind' => $kind, 'server' => $server, 'at' => $at] = $context;
        $begun = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
        $told += [$server => is_float($begun) ? $begun - 0.001 : 0.0];
        if ($kind === 'server') {
            if ($at <= $told[$server]) {
                return;
            }
            $told[$server] = $at;
        }
        error_log("object cache: $message");
    }

    /** Derived from the site's secret, which other tenants of the servers do not have. null: the site has no secret. */
    function mcpatterns_object_cache_key(): ?string
    {
        $secret = mcpatterns_setting('AUTH_KEY', '');
        $is_secret = is_string($secret) && strlen($secret) >= 16 && $secret !== 'put your unique phrase here';
        return $is_secret ? hash_hmac('sha256', 'the object cache of mcpatterns', $secret) : null;
    }

    /**
     * $isNear: values may come from this host's memory, if the site enables that. Not for reads that decide about a
     * write.
     *
     * @throws Error if the grace or the seconds of MCPATTERNS_NEAR are invalid
     * @throws LogicException where no Cache over this Pool can be guarded
     */
    function mcpatterns_object_cache_view(Pool $pool, string $prefix, bool $guarded, bool $isNear = false): Cache
    {
        $near = $isNear ? mcpatterns_seconds('MCPATTERNS_NEAR', 0) : 0.0;
        return new Cache($pool, $prefix, ttl: 0, grace: mcpatterns_seconds('MCPATTERNS_GRACE', 300), lease: 30, near: $near, guarded: $guarded);
    }

    /** @throws Error when it is no number */
    function mcpatterns_seconds(string $name, int $otherwise): float
    {
        $seconds = mcpatterns_setting($name, $otherwise);
        return is_numeric($seconds) ? (float) $seconds : throw new TypeError("$name must be a number of seconds, " . gettype($seconds) . ' given');
    }

    /** @throws Error when it is neither true nor false */
    function mcpatterns_switch(string $name): bool
    {
        $is_on = mcpatterns_setting($name, true);
        return is_bool($is_on) ? $is_on : throw new TypeError("$name must be true or false, " . gettype($is_on) . ' given');
    }

    /** Returns the reason why a cache over this Pool cannot be guarded. null: it can, or guarding is disabled. */
    function mcpatterns_object_cache_obstacle(Pool $pool): ?string
    {
        try {
            mcpatterns_object_cache_view($pool, '', mcpatterns_switch('MCPATTERNS_GUARDED'));
            return null;
        } catch (LogicException $obstacle) {
            return $obstacle->getMessage();
        }
    }

    /** An integer whose negative is also an integer. */
    function mcpatterns_integer(mixed $number): int
    {
        return is_numeric($number) ? max(-PHP_INT_MAX, (int) $number) : 0;
    }

    /** A constant of wp-config.php. */
    function mcpatterns_setting(string $name, mixed $otherwise): mixed
    {
        return defined($name) ? constant($name) : $otherwise;
    }

    /** Returns the reason why this file cannot be the object cache. null: it can. */
    function mcpatterns_object_cache_problem(): ?string
    {
        if (!extension_loaded('mcpatterns')) {
            return 'the PHP extension mcpatterns is not loaded';
        }
        try {
            mcpatterns_object_cache_view(mcpatterns_object_cache_pool(), '', false, true);
            mcpatterns_switch('MCPATTERNS_GUARDED');
            mcpatterns_switch('MCPATTERNS_AHEAD');
            return null;
        } catch (Error $mistake) {
            return $mistake->getMessage();
        }
    }

    /** @param 'error'|'warning' $kind */
    function mcpatterns_object_cache_notice(string $kind, string $says): void
    {
        $notice = function () use ($kind, $says): void {
            if (current_user_can('manage_options')) {
                printf('<div class="notice notice-%s"><p>%s</p></div>', $kind, esc_html($says));
            }
        };
        add_action('admin_notices', $notice);
        add_action('network_admin_notices', $notice);
    }

    /** Shows a notice to administrators about settings that work but could be better. */
    function mcpatterns_object_cache_warn(Pool $pool): void
    {
        $obstacle = mcpatterns_object_cache_obstacle($pool);
        if ($obstacle !== null) {
            mcpatterns_object_cache_notice('warning', "The object cache is not guarded (wp-content/object-cache.php): $obstacle. "
                . "A request can store data that it read before a change; define('MCPATTERNS_GUARDED', false) to accept that.");
        }
        if (mcpatterns_object_cache_key() === null && !array_key_exists('signingKey', (array) mcpatterns_setting('MCPATTERNS_POOL', []))) {
            mcpatterns_object_cache_notice('warning', 'The object cache does not sign its values (wp-content/object-cache.php): '
                . 'AUTH_KEY in wp-config.php is not a secret of at least 16 characters.');
        }
    }
}

$mcpatterns_problem = mcpatterns_object_cache_problem();
if ($mcpatterns_problem !== null) {
    mcpatterns_object_cache_notice('error', "The object cache is off (wp-content/object-cache.php): $mcpatterns_problem.");
} elseif (!class_exists('WP_Object_Cache', false)) {
    /**
     * Prefetches the keys that the last request for the same address has read. The list of keys is stored under the
     * address. Prefetched values count as read at that time, and are used for some seconds.
     */
    final class McPatterns_Fetched_Ahead
    {
        private const SECONDS = 3;
        /** Maximum number of keys, more than any page reads. Further keys are read separately. */
        private const KEYS = 600;
        /** Seconds without an update after which a list is recreated. */
        private const LIFE = 86400;
        /** Maximum number of lists of a script, because a client can request any number of addresses. */
        private const LISTS = 64;
        private const LOOKS = 4;
        private const LONGEST_PAUSE = 3600;
        /** WordPress' lock of its scheduled events. WordPress reads it before it takes it, and a prefetched value would be too old. */
        private const NEVER = '/^(\d+:)?doing_cron$/';

        /** @var array<array-key, array<array-key, mixed>>|null group => id => value or nothing; null before the first read */
        private ?array $values = null;
        private float $believed_until = 0.0;
        /** @var array<array-key, array<array-key, int>> group => id => a bit for each of the last four requests, bit 0 for the last one */
        private array $seen = [];
        /** @var array<array-key, array<array-key, int>> of these, what is fetched */
        private array $list = [];
        /** @var array<array-key, array<array-key, int>> group => id => 0 */
        private array $asked = [];
        /** Requests that were looked at, at most 2; those in a row that changed nothing; the pause after them, and its end. */
        private int $looks = 0;
        private int $idle = 0;
        private int $pause = 0;
        private float $until = 0;
        private readonly string $name;

        /**
         * @param Cache $cache for all groups; each key begins with its group's prefix
         * @param ?Cache $near the same with values from this host's memory, for all groups but transients
         */
        public function __construct(private readonly Cache $cache, private readonly ?Cache $near, private readonly Cache $lists, private readonly object $nothing)
        {
            $this->name = self::name();
        }

        /**
         * Removes and returns the prefetched values of these ids. The next request prefetches all of these ids.
         *
         * @param array<array-key, string> $ids
         * @return array<array-key, mixed> id => value or nothing
         */
        public function take(string $group, array $ids): array
        {
            $this->values ??= $this->fetch();
            $is_believed = $this->values !== [] && microtime(true) < $this->believed_until;
            $taken = [];
            foreach ($ids as $id) {
                if ($group === 'transient' && preg_match(self::NEVER, $id) === 1) {
                    continue;
                }
                $this->asked[$group][$id] = 0;
                if ($is_believed && array_key_exists($id, $this->values[$group] ?? [])) {
                    $taken[$id] = $this->values[$group][$id];
                    unset($this->values[$group][$id]);
                }
            }
            return $taken;
        }

        /** Drops a prefetched value that this request changes. */
        public function drop(string $group, string $id): void
        {
            unset($this->values[$group][$id]);
        }

        public function drop_all(): void
        {
            $this->values = [];
        }

        /** Stores the list for the next request, if this request has read keys that are not on it. */
        public function close(): void
        {
            $before = $this->list;
            $is_known = $this->looks > 1 && (self::are_same($this->asked, $before) || microtime(true) < $this->until);
            if ($is_known || $this->asked === [] || http_response_code() === 404) {
                return;
            }
            $this->look();
            $this->list = $this->listed();
            if (!self::are_same($this->list, $before)) {
                $this->idle = $this->pause = 0;
            } elseif (++$this->idle === self::LOOKS) {
                $this->idle = 0;
                $this->pause = min(max(1, 2 * $this->pause), self::LONGEST_PAUSE);
                $this->until = microtime(true) + $this->pause;
            }
            $this->lists->set($this->name, [$this->seen, $this->looks, $this->idle, $this->pause, $this->until], self::LIFE);
        }

        private function look(): void
        {
            $this->looks = min(2, $this->looks + 1);
            $room = self::KEYS;
            foreach ($this->asked as $group => $ids) {
                $this->asked[$group] = array_slice($ids, 0, $room, true);
                $room -= count($this->asked[$group]);
            }
            foreach ($this->seen as $group => $ids) {
                $this->seen[$group] = array_filter(array_map(fn (int $bits): int => $bits << 1 & 0b1110, $ids));
            }
            foreach ($this->asked as $group => $ids) {
                foreach ($ids as $id => $bits) {
                    $this->seen[$group][$id] = ($this->seen[$group][$id] ?? 0) | 1;
                }
            }
            $this->seen = array_filter($this->seen);
        }

        /** @return array<array-key, array<array-key, int>> of the second request on, what two have asked for */
        private function listed(): array
        {
            $list = [];
            $room = self::KEYS;
            foreach ($this->seen as $group => $ids) {
                $ids = $this->looks < 2 ? $ids : array_filter($ids, fn (int $bits): bool => ($bits & ($bits - 1)) !== 0);
                $list[$group] = array_slice($ids, 0, $room, true);
                $room -= count($list[$group]);
            }
            return array_filter($list);
        }

        /**
         * @param array<array-key, array<array-key, int>> $one
         * @param array<array-key, array<array-key, int>> $other
         */
        private static function are_same(array $one, array $other): bool
        {
            foreach ($one + $other as $group => $ids) {
                if (array_diff_key($one[$group] ?? [], $other[$group] ?? []) !== [] || array_diff_key($other[$group] ?? [], $one[$group] ?? []) !== []) {
                    return false;
                }
            }
            return true;
        }

        /** @return array<array-key, array<array-key, mixed>> group => id => value or nothing */
        private function fetch(): array
        {
            $kept = $this->lists->peek($this->name);
            if (!is_array($kept) || !is_array($kept[0] ?? null) || !is_int($kept[1] ?? null) || !is_int($kept[2] ?? null) || !is_int($kept[3] ?? null) || !is_float($kept[4] ?? null)) {
                return [];
            }
            [$seen, $this->looks, $this->idle, $this->pause, $this->until] = $kept;
            $this->seen = array_map(fn (mixed $ids): array => is_array($ids) ? array_filter($ids, is_int(...)) : [], $seen);
            $this->list = $this->listed();
            $this->believed_until = microtime(true) + self::SECONDS;
            $far = $near = [];
            foreach ($this->list as $group => $ids) {
                $prefix = rawurlencode((string) $group) . ':';
                foreach ($ids as $id => $vain) {
                    if ($this->near === null || $group === 'transient' || $group === 'site-transient') {
                        $far[] = $prefix . $id;
                    } else {
                        $near[] = $prefix . $id;
                    }
                }
            }
            try {
                $found = ($near === [] ? [] : $this->near?->getMultiple($near, $this->nothing) ?? []) + ($far === [] ? [] : $this->cache->getMultiple($far, $this->nothing));
            } catch (Throwable) {    // a value's own code throws: read each key separately
                return [];
            }
            return $this->sorted($found);
        }

        /**
         * @param array<array-key, mixed> $found
         * @return array<array-key, array<array-key, mixed>> by the list's groups
         */
        private function sorted(array $found): array
        {
            $values = [];
            foreach ($this->list as $group => $ids) {
                $prefix = rawurlencode((string) $group) . ':';
                foreach ($ids as $id => $vain) {
                    $values[$group][$id] = $found[$prefix . $id];
                }
            }
            return $values;
        }

        /** Users who are logged in have their own lists, because their pages read more keys. For requests other than GET, addresses that differ only in the query share a list. */
        private static function name(): string
        {
            [$method, $host, $uri, $script] = array_map(fn (string $name): string => is_string($_SERVER[$name] ?? null) ? $_SERVER[$name] : '',
                ['REQUEST_METHOD', 'HTTP_HOST', 'REQUEST_URI', 'SCRIPT_NAME']);
            $is_known = preg_grep('/^wordpress_logged_in_/', array_map(strval(...), array_keys($_COOKIE))) !== [];
            $place = crc32($host . ' ' . ($method === 'GET' ? $uri : strtok($uri, '?'))) % self::LISTS;
            return hash('md5', serialize([$method === 'GET', $script, $is_known, $place]));
        }
    }

    /**
     * Values that this request has read, in front of the shared cache. Methods, defaults and public properties are
     * those of WordPress' own class, because plugins use it directly.
     */
    #[AllowDynamicProperties]
    class WP_Object_Cache
    {
        /** Number of hits and misses of get() and get_multiple(), including values that this request has already read. */
        public int $cache_hits = 0;
        public int $cache_misses = 0;
        /** @var array<string, array<string, mixed>> group => id => value that this request has read; long-running scripts clear it with [] */
        public array $cache = [];
        /** @var array<string, true> */
        public array $global_groups = [];
        /** Whether keys have no blog prefix, so that wp_cache_get() can read $cache directly. */
        public bool $is_alone = false;

        /** @var array<string, array{Cache, Cache}> group => its cache, and the same without guarding; Metrics shows them under the group's name */
        private array $views = [];
        /** @var array<string, Cache> group => its cache for reads from this host's memory, if enabled */
        private array $near_views = [];
        /** @var array<string, true> groups that exist only for the request */
        private array $volatile_groups = [];
        /** Prefix of each key of a blog in a network. */
        private string $blog = '';
        /** Represents a miss, because every value can be stored. */
        private object $nothing;
        /** @var array<string, array<string, array{read?: array<array-key, mixed>, first?: array<array-key, mixed>}>> lists of options: the last and the first version that this request has read */
        private array $merged = [];
        /** @var array<string, array<string, true>> group => id => keys that this request writes without a guard: numbers, and keys whose add failed although no value exists */
        private array $blind = [];
        /**
         * Values, serialized, that this request has added with an expiry. The guard takes them for changes of other requests, so set() first checks that they are still stored.
         *
         * @var array<string, array<string, string>>
         */
        private array $own = [];

        private readonly Pool $pool;
        private readonly bool $is_guarded;
        private readonly bool $is_near;
        private readonly ?McPatterns_Fetched_Ahead $ahead;

        public function __construct(?Pool $pool = null)
        {
            $this->pool = $pool ?? mcpatterns_object_cache_pool();
            $this->nothing = new stdClass();
            $this->is_guarded = mcpatterns_switch('MCPATTERNS_GUARDED') && mcpatterns_object_cache_obstacle($this->pool) === null;
            $this->is_near = mcpatterns_seconds('MCPATTERNS_NEAR', 0) > 0;
            $this->ahead = isset($_SERVER['REQUEST_URI']) && mcpatterns_switch('MCPATTERNS_AHEAD') ? new McPatterns_Fetched_Ahead(
                mcpatterns_object_cache_view($this->pool, '', $this->is_guarded)->tagged('site'),
                $this->is_near ? mcpatterns_object_cache_view($this->pool, '', $this->is_guarded, true)->tagged('site') : null,
                mcpatterns_object_cache_view($this->pool, 'mcpatterns-ahead:', false, true),
                $this->nothing,
            ) : null;
            $this->switch_to_blog(is_multisite() ? get_current_blog_id() : 0);
        }

        /**
         * Returns true for exactly one of concurrent requests, if no value exists or the value is expired. If the value
         * could not be stored although no value exists, it is kept for this request, as with set(), and the result is
         * false. The same applies once if the key was deleted after this request read it, but not for keys with an
         * expiry, such as locks.
         */
        public function add(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return !wp_suspend_cache_addition() && $this->store('add', $key, $data, $group, $expire);
        }

        public function replace(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return $this->store('replace', $key, $data, $group, $expire);
        }

        /** Returns false if memcached does not accept the value, or if the key was changed after this request read it. The value is then kept only for this request. */
        public function set(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return $this->store('set', $key, $data, $group, $expire);
        }

        /**
         * Returns false, with $found false, on a miss, and for the one request that must rebuild an expired value.
         * Other requests get the stale value until that request has called set() or ended.
         */
        public function get(mixed $key, mixed $group = 'default', mixed $force = false, mixed &$found = null): mixed
        {
            // Fast path for values that the request has read: a page reads a thousand times.
            if (!$force && is_string($group) && (is_string($key) || is_int($key))) {
                $name = $group ?: 'default';
                $value = $this->cache[$name][$this->blog === '' || isset($this->global_groups[$name]) ? $key : $this->blog . $key] ?? null;
                if ($value !== null) {
                    $found = true;
                    $this->cache_hits++;
                    return is_object($value) ? self::copy($value) : $value;
                }
            }
            $found = false;
            $values = $this->look([$key], $group, $force, $found);
            return reset($values);
        }

        /** @return array<array-key, mixed> key => value or false; values that this request has not read cost one round trip per server */
        public function get_multiple(mixed $keys, mixed $group = 'default', mixed $force = false): array
        {
            $keys = (array) $keys;
            return ($force ? null : $this->all_seen($keys, $group)) ?? $this->look($keys, $group, $force);
        }

        /** Returns whether a value existed. */
        public function delete(mixed $key, mixed $group = 'default'): bool
        {
            $group = self::group($group);
            foreach ($this->ids([$key], $group) as $id) {
                $was_there = $this->has_seen($group, $id);
                unset($this->cache[$group][$id], $this->merged[$group][$id]);
                if (isset($this->volatile_groups[$group])) {
                    return $was_there;
                }
                [$view, $unguarded] = $this->begin_change($group, $id);
                // A flushed value remains on the server for a while, and forget() would count it as existing.
                $was_there = $was_there || $unguarded->has($id);
                return $view->forget($id) && $was_there;
            }
            return false;
        }

        /** Returns the new number, never below 0, or false if no value exists. A value that is not a number counts as 0. */
        public function incr(mixed $key, mixed $offset = 1, mixed $group = 'default'): int|float|false
        {
            $offset = mcpatterns_integer($offset);
            $group = self::group($group);
            foreach ($this->ids([$key], $group) as $id) {
                $number = match (true) {
                    !isset($this->volatile_groups[$group]) => $this->count($this->begin_change($group, $id)[1], $id, $offset),
                    $this->has_seen($group, $id) => self::sum($this->cache[$group][$id], $offset),
                    default => false,
                };
                $this->keep($group, $id, $number === false ? $this->nothing : $number);
                $this->blind[$group][$id] = true;
                return $number;
            }
            return false;
        }

        public function decr(mixed $key, mixed $offset = 1, mixed $group = 'default'): int|float|false
        {
            return $this->incr($key, -mcpatterns_integer($offset), $group);
        }

        /** @return array<array-key, bool> */
        public function add_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array
        {
            return self::each($data, fn (int|string $key, mixed $value) => $this->add($key, $value, $group, $expire));
        }

        /** @return array<array-key, bool> */
        public function set_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array
        {
            return self::each($data, fn (int|string $key, mixed $value) => $this->set($key, $value, $group, $expire));
        }

        /** @return array<array-key, bool> */
        public function delete_multiple(mixed $keys, mixed $group = ''): array
        {
            $keys = array_filter((array) $keys, fn (mixed $key) => is_int($key) || is_string($key));
            return self::each(array_fill_keys($keys, null), fn (int|string $key) => $this->delete($key, $group));
        }

        /** Prints statistics for an administration page. */
        public function stats(): void
        {
            printf('<p><strong>Cache Hits:</strong> %d<br /><strong>Cache Misses:</strong> %d</p><ul>', $this->cache_hits, $this->cache_misses);
            foreach ($this->cache as $group => $values) {
                printf('<li><strong>Group:</strong> %s - ( %d )</li>', esc_html((string) $group), count($values));
            }
            echo '</ul>';
        }

        /** Deletes all keys of this site, including all blogs. Other data on the servers is kept. */
        public function flush(): bool
        {
            $this->drop_reads();
            return $this->views('default')[1]->deleteTags('site');
        }

        /** Deletes the group in all blogs. */
        public function flush_group(mixed $group): bool
        {
            $group = self::group($group);
            unset($this->cache[$group], $this->merged[$group]);
            $this->ahead?->drop_all();
            return isset($this->volatile_groups[$group]) || $this->views($group)[1]->deleteTags(self::tag($group));
        }

        public function flush_runtime(): bool
        {
            $this->drop_reads();
            $this->blind = $this->own = [];
            return true;
        }

        public function add_global_groups(mixed $groups): void
        {
            $this->global_groups += self::names($groups);
        }

        public function add_non_persistent_groups(mixed $groups): void
        {
            $this->volatile_groups += self::names($groups);
        }

        public function switch_to_blog(mixed $blog_id): void
        {
            $this->blog = is_multisite() ? mcpatterns_integer($blog_id) . ':' : '';
            $this->is_alone = $this->blog === '';
        }

        /** Ends the request, and stores the list of its keys for the next request. */
        public function close(): bool
        {
            $this->ahead?->close();
            return true;
        }

        private function drop_reads(): void
        {
            $this->cache = $this->merged = [];
            $this->ahead?->drop_all();
        }

        /**
         * Fast path, because most pages request many keys that they have read before.
         *
         * @param array<mixed> $keys
         * @return array<array-key, mixed>|null key => value; null if look() must read one of the keys
         */
        private function all_seen(array $keys, mixed $group): ?array
        {
            $group = self::group($group);
            $seen = $this->cache[$group] ?? [];
            $blog = isset($this->global_groups[$group]) ? '' : $this->blog;
            $values = [];
            foreach ($keys as $key) {
                $value = is_int($key) || is_string($key) ? $seen[$blog === '' ? $key : $blog . $key] ?? null : null;
                if ($value === null) {
                    return null;
                }
                $values[$key] = is_object($value) ? self::copy($value) : $value;
            }
            $this->cache_hits += count($values);
            return $values;
        }

        /**
         * @param array<mixed> $keys
         * @return array<array-key, mixed> key => value or false
         */
        private function look(array $keys, mixed $group, mixed $force, ?bool &$found = null): array
        {
            $group = self::group($group);
            $ids = $this->ids($keys, $group);
            $this->ask($group, $force ? $ids : array_filter($ids, fn (string $id) => !$this->has_seen($group, $id)), (bool) $force);
            $values = [];
            foreach ($ids as $key => $id) {
                $found = $this->has_seen($group, $id);
                $found ? $this->cache_hits++ : $this->cache_misses++;
                $values[$key] = $found ? self::copy($this->cache[$group][$id]) : false;
            }
            return $values;
        }

        /** @param array<array-key, string> $ids */
        private function ask(string $group, array $ids, bool $anew): void
        {
            if ($ids === [] || isset($this->volatile_groups[$group])) {
                return;
            }
            $values = $anew || $this->ahead === null ? [] : $this->ahead->take($group, $ids);
            $rest = array_filter($ids, fn (string $id) => !array_key_exists($id, $values));
            if ($rest !== []) {
                [$view] = $this->views($group);
                $values += $this->read($anew ? $view : $this->near_view($group, $view), $rest);
            }
            foreach ($values as $id => $value) {
                $this->keep($group, (string) $id, $value);
                $this->note_list($group, (string) $id, $value);
            }
        }

        /**
         * A value whose own code throws, for example after an update, counts as missing. Each key then costs one round
         * trip.
         *
         * @param array<array-key, string> $ids
         * @return array<array-key, mixed> id => value or nothing
         */
        private function read(Cache $view, array $ids): array
        {
            try {
                return $view->getMultiple($ids, $this->nothing);
            } catch (Throwable) {
                $values = [];
                foreach ($ids as $id) {
                    $values += count($ids) === 1 ? [$id => $this->nothing] : $this->read($view, [$id]);
                }
                return $values;
            }
        }

        /** @param 'add'|'replace'|'set' $how */
        private function store(string $how, mixed $key, mixed $data, mixed $group, mixed $expire): bool
        {
            $group = self::group($group);
            foreach ($this->ids([$key], $group) as $id) {
                $is_stored = isset($this->volatile_groups[$group])
                    ? $how === 'set' || ($how === 'replace') === $this->has_seen($group, $id)
                    : $this->send($how, $group, $id, $data, $expire);
                if ($is_stored || $how === 'set') {
                    $this->keep($group, $id, self::copy($data));
                } elseif ($how === 'add' && !$this->has_seen($group, $id)) {
                    $this->keep_other($group, $id, $data);
                }
                return $is_stored;
            }
            return false;
        }

        private function send(string $how, string $group, string $id, mixed $data, mixed $expire): bool
        {
            // 0 means that the value never expires, as in WordPress. So do 31 years and more, which Cache would reject
            // as a date. A negative expiry expires immediately.
            $isOver = is_numeric($expire) && $expire < 0;
            $ttl = is_numeric($expire) && $expire < 978_307_200 ? ($isOver ? 0.001 : $expire + 0) : 0;
            $grace = $isOver ? 0 : null;
            [$view, $unguarded] = $this->begin_change($group, $id);
            $is_own = $how !== 'add' && $this->is_own($group, $id, $unguarded);
            $is_blind = $is_own || isset($this->blind[$group][$id]) || $id === 'last_changed' || $id === $this->blog . 'last_changed';
            $view = $is_blind ? $unguarded : $view;
            try {
                return match (true) {
                    $how === 'add' && $ttl > 0 => $unguarded->add($id, $data, $ttl, $grace) && $this->note_stored($group, $id, $data, true),
                    $how === 'add' => $view->add($id, $data, $ttl, $grace) && $this->note_stored($group, $id, $data),
                    $how === 'replace' => $view->has($id) && $view->set($id, $data, $ttl, $grace) && $this->note_stored($group, $id, $data, $is_own),
                    is_array($data) && $this->is_list($group, $id) => $this->merge($group, $id, $data),
                    default => $view->set($id, $data, $ttl, $grace) && $this->note_stored($group, $id, $data, $is_own) && $this->uncover($group, $id),
                };
            } catch (UnstorableException|Exception) {    // also exceptions of the value's own code during serialization
                if ($how !== 'add') {
                    unset($this->cache[$group][$id]);
                    $view->delete($id);
                }
                return false;
            }
        }

        /** Keeps the value that another request has added in place of this request's value. It does not count as a read of this request. */
        private function keep_other(string $group, string $id, mixed $own): void
        {
            $there = $this->views($group)[1]->peek($id, $this->nothing);
            $this->keep($group, $id, $there === $this->nothing ? self::copy($own) : $there);
            $this->note_list($group, $id, $there);
            if ($there === $this->nothing) {
                $this->blind[$group][$id] = true;
            }
        }

        /**
         * Drops the prefetched value of a key that this request changes.
         *
         * @return array{Cache, Cache}
         */
        private function begin_change(string $group, string $id): array
        {
            $this->ahead?->drop($group, $id);
            return $this->views($group);
        }

        private function count(Cache $view, string $id, int $offset): int|float|false
        {
            try {
                $number = $view->increment($id, $offset);
                if ($number === false || $number >= 0) {
                    return $number;
                }
                $offset = 0;    // counted
            } catch (StoredValueException) {    // not an integer
            }
            $left = $view->entry($id)->expiresIn;
            try {
                return $view->update($id, fn (mixed $old) => self::sum($old, $offset), $left === null ? 0 : max(0.001, $left));
            } catch (ServerException) {
                return false;
            }
        }

        private static function sum(mixed $number, int $offset): int|float
        {
            return max(0, (is_numeric($number) ? $number : 0) + $offset);
        }

        /** Copies objects, so that changes by one caller do not affect others. */
        private static function copy(mixed $value): mixed
        {
            return is_object($value) && !$value instanceof UnitEnum ? clone $value : $value;
        }

        private function keep(string $group, string $id, mixed $value): void
        {
            if ($value === $this->nothing) {
                unset($this->cache[$group][$id]);
            } else {
                $this->cache[$group][$id] = $value;
            }
        }

        private function has_seen(string $group, string $id): bool
        {
            return array_key_exists($id, $this->cache[$group] ?? []);
        }

        private static function group(mixed $group): string
        {
            return is_scalar($group) && $group ? (string) $group : 'default';
        }

        /**
         * @param array<mixed> $keys
         * @return array<array-key, string> key => blog and key; invalid keys are omitted and reported
         */
        private function ids(array $keys, string $group): array
        {
            $ids = [];
            foreach ($keys as $key) {
                if (is_int($key) || (is_string($key) && trim($key) !== '')) {
                    $ids[$key] = (isset($this->global_groups[$group]) ? '' : $this->blog) . $key;
                } else {
                    _doing_it_wrong(__CLASS__, 'A cache key must be an integer or a string that is not empty, ' . gettype($key) . ' given.', '6.1.0');
                }
            }
            return $ids;
        }

        /** @return array<string, true> */
        private static function names(mixed $groups): array
        {
            return array_fill_keys(array_map(self::group(...), (array) $groups), true);
        }

        /**
         * @param callable(array-key, mixed): bool $do
         * @return array<array-key, bool>
         */
        private static function each(mixed $values, callable $do): array
        {
            return array_combine(array_keys((array) $values), array_map($do, array_keys((array) $values), (array) $values));
        }

        private static function tag(string $group): string
        {
            return strlen($group) > 200 ? 'group-' . hash('sha256', $group) : "group:$group";
        }

        /**
         * Returns the group's cache, and the same without guarding. Transients, which WordPress stores nowhere else,
         * are never guarded: if two requests set a transient, the last one wins, whereas a guard would keep neither.
         *
         * @return array{Cache, Cache}
         */
        private function views(string $group): array
        {
            if (!isset($this->views[$group])) {
                $prefix = rawurlencode($group) . ':';
                $unguarded = mcpatterns_object_cache_view($this->pool, $prefix, false)->tagged('site', self::tag($group));
                $this->views[$group] = [
                    $this->is_guarded && $group !== 'transient' && $group !== 'site-transient'
                        ? mcpatterns_object_cache_view($this->pool, $prefix, true)->tagged('site', self::tag($group)) : $unguarded,
                    $unguarded,
                ];
            }
            return $this->views[$group];
        }

        /** Returns the cache for reads that do not need the newest value. Not for transients, which are also used as locks. */
        private function near_view(string $group, Cache $view): Cache
        {
            if ($group === 'transient' || $group === 'site-transient' || !$this->is_near) {
                return $view;
            }
            return $this->near_views[$group] ??= mcpatterns_object_cache_view($this->pool, rawurlencode($group) . ':', $this->is_guarded, true)
                ->tagged('site', self::tag($group));
        }

        /* Lists of options: all options that WordPress autoloads, and names of missing options. Each request writes
         * a list as a whole, and would overwrite concurrent changes of other requests. */

        private function is_list(string $group, string $id): bool
        {
            return match ($group) {
                'options' => $id === $this->blog . 'alloptions' || $id === $this->blog . 'notoptions',
                'site-options' => preg_match('/^\d+:notoptions$/', $id) === 1,
                default => false,
            };
        }

        private function is_own(string $group, string $id, Cache $view): bool
        {
            return isset($this->own[$group][$id]) && serialize($view->peek($id, $this->nothing)) === $this->own[$group][$id];
        }

        /** Records what this request has stored: a list, and each value without a guard. Always returns true, as the result of a store. */
        private function note_stored(string $group, string $id, mixed $value, bool $is_own = false): bool
        {
            if ($is_own) {
                $this->own[$group][$id] = serialize($value);
            }
            unset($this->merged[$group][$id]);
            $this->note_list($group, $id, $value);
            return true;
        }

        /** Records the server's version of the list. */
        private function note_list(string $group, string $id, mixed $value): void
        {
            if (!$this->is_list($group, $id)) {
                return;
            }
            unset($this->merged[$group][$id]['read']);
            if (is_array($value)) {
                $this->merged[$group][$id] = ['read' => $value, 'first' => $this->merged[$group][$id]['first'] ?? $value];
            }
        }

        /**
         * Merges this request's changes into the stored list. If another request changed the same option, or the list
         * no longer exists, it is unknown which change is the latest in the database. The list is then deleted, and the
         * next reader loads it from the database.
         *
         * @param array<array-key, mixed> $data
         */
        private function merge(string $group, string $id, array $data): bool
        {
            [$view] = $this->views($group);
            $known = $this->merged[$group][$id] ?? [];
            if (!isset($known['read'])) {
                $is_added = $view->add($id, $data);
                $is_added || $view->delete($id);
                return $is_added && $this->note_stored($group, $id, $data) && $this->after_merge($group, $id, $data);
            }
            $added = self::differing($data, $known['read']);
            $gone = array_diff_key($known['read'], $data);
            if ($added === [] && $gone === []) {
                return true;
            }
            try {
                $view->update($id, fn (mixed $now): array => self::merged($now, $known['first'] ?? $known['read'], $added, $gone), 0);
            } catch (UnexpectedValueException|ServerException) {
                unset($this->merged[$group][$id]);
                $view->delete($id);
                return false;
            }
            $this->note_stored($group, $id, $data);
            return $this->after_merge($group, $id, array_diff_key($added, $known['read']));
        }

        /**
         * @param array<array-key, mixed> $first
         * @param array<array-key, mixed> $added
         * @param array<array-key, mixed> $gone
         * @return array<array-key, mixed>
         * @throws UnexpectedValueException if the correct list is unknown
         */
        private static function merged(mixed $now, array $first, array $added, array $gone): array
        {
            if (!is_array($now)) {
                throw new UnexpectedValueException('the list no longer exists');
            }
            foreach ($added + $gone as $name => $value) {
                $there = $now[$name] ?? null;
                if ($there !== ($first[$name] ?? null) && $there !== ($added[$name] ?? null)) {
                    throw new UnexpectedValueException('another request changed the same list');
                }
            }
            return array_diff_key(array_replace($now, $added), $gone);
        }

        /**
         * @param array<array-key, mixed> $one
         * @param array<array-key, mixed> $other
         * @return array<array-key, mixed> elements of $one that are missing or different in $other
         */
        private static function differing(array $one, array $other): array
        {
            return array_filter($one, fn (mixed $value, int|string $name) => !array_key_exists($name, $other) || $other[$name] !== $value, ARRAY_FILTER_USE_BOTH);
        }

        /**
         * An option may be created while another request records that it is missing. Each of the two requests reads the
         * other's list after its own write, so that at least one of them detects the conflict.
         *
         * @param array<array-key, mixed> $new
         */
        private function after_merge(string $group, string $id, array $new): bool
        {
            $names = array_map(strval(...), array_keys($new));
            if ($names === []) {
                return true;
            }
            if (str_ends_with($id, 'alloptions')) {
                $this->uncover($group, ...array_map(fn (string $name): string => substr($id, 0, -strlen('alloptions')) . $name, $names));
                return true;
            }
            $before = substr($id, 0, -strlen('notoptions'));
            $ids = array_map(fn (string $name): string => $before . $name, $names);
            $there = array_filter($this->read($this->views($group)[1], $ids), fn (mixed $value) => $value !== $this->nothing);
            $all = $group === 'options' ? $this->views($group)[1]->peek($before . 'alloptions') : [];
            $made = array_filter($names, fn (string $name): bool => !is_array($all) || array_key_exists($name, $all) || array_key_exists($before . $name, $there));
            $this->uncover($group, ...array_map(fn (string $name): string => $before . $name, $made));
            return true;
        }

        /** Removes options from the list of missing options. */
        private function uncover(string $group, string ...$ids): bool
        {
            if ($ids === [] || ($group !== 'options' && $group !== 'site-options')) {
                return true;
            }
            $before = $group === 'options' ? $this->blog : strstr(reset($ids), ':', true) . ':';
            $list = $before . 'notoptions';
            $gone = array_fill_keys(array_map(fn (string $id): string => substr($id, strlen($before)), $ids), true);
            $view = $this->views($group)[1];
            $there = $view->peek($list);
            if (is_array($there) && array_intersect_key($there, $gone) !== []) {
                try {
                    $view->update($list, fn (mixed $now): array => array_diff_key(is_array($now) ? $now : [], $gone), 0);
                } catch (ServerException) {
                    $view->delete($list);
                }
            }
            return true;
        }
    }

    function wp_cache_init(): void { $GLOBALS['wp_object_cache'] = new WP_Object_Cache(); }
    function wp_cache_add(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->add($key, $data, $group, $expire); }
    function wp_cache_replace(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->replace($key, $data, $group, $expire); }
    function wp_cache_set(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->set($key, $data, $group, $expire); }
    /** Returns values that the request has read without another function call, because a page calls this two thousand times. */
    function wp_cache_get(mixed $key, mixed $group = '', mixed $force = false, mixed &$found = null): mixed
    {
        /** @var WP_Object_Cache $wp_object_cache */
        global $wp_object_cache;
        if (!$force && is_string($group) && (is_string($key) || is_int($key)) && !empty($wp_object_cache->is_alone)) {
            $value = $wp_object_cache->cache[$group ?: 'default'][$key] ?? null;
            if ($value !== null) {
                $found = true;
                $wp_object_cache->cache_hits++;
                return is_object($value) && !$value instanceof UnitEnum ? clone $value : $value;
            }
        }
        return $wp_object_cache->get($key, $group, $force, $found);
    }

    /** @return array<array-key, mixed> */
    function wp_cache_get_multiple(mixed $keys, mixed $group = '', mixed $force = false): array { return mcpatterns_object_cache()->get_multiple($keys, $group, $force); }
    function wp_cache_delete(mixed $key, mixed $group = ''): bool { return mcpatterns_object_cache()->delete($key, $group); }
    function wp_cache_incr(mixed $key, mixed $offset = 1, mixed $group = ''): int|float|false { return mcpatterns_object_cache()->incr($key, $offset, $group); }
    function wp_cache_decr(mixed $key, mixed $offset = 1, mixed $group = ''): int|float|false { return mcpatterns_object_cache()->decr($key, $offset, $group); }
    function wp_cache_flush(): bool { return mcpatterns_object_cache()->flush(); }
    function wp_cache_flush_runtime(): bool { return mcpatterns_object_cache()->flush_runtime(); }
    function wp_cache_flush_group(mixed $group): bool { return mcpatterns_object_cache()->flush_group($group); }
    function wp_cache_add_global_groups(mixed $groups): void { mcpatterns_object_cache()->add_global_groups($groups); }
    function wp_cache_add_non_persistent_groups(mixed $groups): void { mcpatterns_object_cache()->add_non_persistent_groups($groups); }
    function wp_cache_switch_to_blog(mixed $blog_id): void { mcpatterns_object_cache()->switch_to_blog($blog_id); }
    function wp_cache_close(): bool { return mcpatterns_object_cache()->close(); }

    /** @return array<array-key, bool> */
    function wp_cache_add_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array { return mcpatterns_object_cache()->add_multiple($data, $group, $expire); }
    /** @return array<array-key, bool> */
    function wp_cache_set_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array { return mcpatterns_object_cache()->set_multiple($data, $group, $expire); }
    /** @return array<array-key, bool> */
    function wp_cache_delete_multiple(mixed $keys, mixed $group = ''): array { return mcpatterns_object_cache()->delete_multiple($keys, $group); }
    function wp_cache_supports(mixed $feature): bool { return in_array($feature, ['add_multiple', 'set_multiple', 'get_multiple', 'delete_multiple', 'flush_runtime', 'flush_group'], true); }

    mcpatterns_object_cache_warn(mcpatterns_object_cache_pool());

    /** Returns the object cache of the request. */
    function mcpatterns_object_cache(): WP_Object_Cache
    {
        $cache = $GLOBALS['wp_object_cache'] ?? null;
        return $cache instanceof WP_Object_Cache ? $cache : throw new LogicException('wp_cache_init() must be called first');
    }
}
unset($mcpatterns_problem);

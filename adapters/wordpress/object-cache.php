<?php
/**
 * Plugin Name: mcpatterns object cache
 * Description: WordPress' object cache in memcached, by the PHP extension mcpatterns. Copy this file into wp-content/.
 * When a transient that many ask for expires, one request rebuilds it, and the others go on with the old one meanwhile.
 * Without the extension, or with wrong settings, WordPress works as it does without this file, and says so to its admins.
 *
 * In wp-config.php, each when wanted:
 *     define('MCPATTERNS_SERVERS', ['10.0.0.5:11211', '10.0.0.6:11211']);     otherwise mcpatterns.servers of php.ini
 *     define('MCPATTERNS_GRACE', 300);                    seconds for which an expired value is kept for the others
 *     define('MCPATTERNS_POOL', ['signingKey' => '...']); further parameters of McPatterns\Pool
 *     define('WP_CACHE_KEY_SALT', 'shop');                for sites that share servers and the database's name
 */
/* SPDX-License-Identifier: MIT */

use McPatterns\Cache;
use McPatterns\Pool;
use McPatterns\ServerException;
use McPatterns\StoredValueException;
use McPatterns\UnstorableException;

if (!defined('ABSPATH')) {
    exit;
}

/* All but this is declared under a condition: PHP would declare it even where this file returns before. */
if (!function_exists('mcpatterns_object_cache_pool')) {
    /** @throws Error when a setting is wrong */
    function mcpatterns_object_cache_pool(): Pool
    {
        static $pool = null;
        if (!$pool instanceof Pool) {
            $site = mcpatterns_setting('WP_CACHE_KEY_SALT', [mcpatterns_setting('DB_NAME', ABSPATH), $GLOBALS['table_prefix'] ?? '']);
            $pool = (new ReflectionClass(Pool::class))->newInstanceArgs((array) mcpatterns_setting('MCPATTERNS_POOL', []) + [
                'servers' => mcpatterns_setting('MCPATTERNS_SERVERS', ini_get('mcpatterns.servers') ?: '127.0.0.1:11211'),
                'prefix' => 'wp-' . substr(hash('sha256', serialize($site)), 0, 12) . ':',
            ]);
            $pool->onError(mcpatterns_object_cache_log(...));
        }
        return $pool;
    }

    /**
     * What a server failed of once, and not again each time that it is left alone for that, in this request and the next ones.
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

    /** @throws Error when the grace is none */
    function mcpatterns_object_cache_view(Pool $pool, string $prefix): Cache
    {
        $grace = mcpatterns_setting('MCPATTERNS_GRACE', 300);
        if (!is_numeric($grace)) {
            throw new TypeError('MCPATTERNS_GRACE must be a number of seconds, ' . gettype($grace) . ' given');
        }
        return new Cache($pool, $prefix, ttl: 0, grace: (float) $grace, lease: 30);
    }

    /** One whose negative is an integer, too. */
    function mcpatterns_integer(mixed $number): int
    {
        return is_numeric($number) ? max(-PHP_INT_MAX, (int) $number) : 0;
    }

    /** A constant of wp-config.php. */
    function mcpatterns_setting(string $name, mixed $otherwise): mixed
    {
        return defined($name) ? constant($name) : $otherwise;
    }

    /** Why this cannot be the object cache here; null when it can. */
    function mcpatterns_object_cache_problem(): ?string
    {
        if (!extension_loaded('mcpatterns')) {
            return 'the PHP extension mcpatterns is not loaded';
        }
        try {
            mcpatterns_object_cache_view(mcpatterns_object_cache_pool(), '');
            return null;
        } catch (Error $mistake) {
            return $mistake->getMessage();
        }
    }

    function mcpatterns_object_cache_notice(string $problem): void
    {
        $notice = function () use ($problem): void {
            if (current_user_can('manage_options')) {
                printf('<div class="notice notice-error"><p>%s</p></div>', esc_html("The object cache is off (wp-content/object-cache.php): $problem."));
            }
        };
        add_action('admin_notices', $notice);
        add_action('network_admin_notices', $notice);
    }
}

$mcpatterns_problem = mcpatterns_object_cache_problem();
if ($mcpatterns_problem !== null) {
    mcpatterns_object_cache_notice($mcpatterns_problem);
} elseif (!class_exists('WP_Object_Cache', false)) {
    /**
     * What this request has seen, before what all requests share. Methods, their defaults and what may be set from outside are
     * those of WordPress' own class, because plugins use that directly.
     */
    #[AllowDynamicProperties]
    class WP_Object_Cache
    {
        /** How often get() and get_multiple() found something, here or in memcached, and how often they did not. */
        public int $cache_hits = 0;
        public int $cache_misses = 0;
        /** @var array<string, array<string, mixed>> group => id => value, what this request has seen; long ones empty it by [] */
        public array $cache = [];
        /** @var array<string, true> */
        public array $global_groups = [];

        /** @var array<string, Cache> group => its cache, which Metrics shows by the group's name */
        private array $views = [];
        /** @var array<string, true> those that live as long as the request */
        private array $volatile_groups = [];
        private string $blog = '';
        /** Stands for a miss: every value can be stored. */
        private object $nothing;

        private readonly Pool $pool;

        public function __construct(?Pool $pool = null)
        {
            $this->pool = $pool ?? mcpatterns_object_cache_pool();
            $this->nothing = new stdClass();
            $this->switch_to_blog(is_multisite() ? get_current_blog_id() : 0);
        }

        /**
         * True for one of all requests that add it at once, where nothing is, or nothing but an expired value. What could not
         * be stored where nothing is lives as long as the request, as with set(); false then.
         */
        public function add(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return !wp_suspend_cache_addition() && $this->store('add', $key, $data, $group, $expire);
        }

        public function replace(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return $this->store('replace', $key, $data, $group, $expire);
        }

        /** What memcached does not take lives as long as the request; false then. */
        public function set(mixed $key, mixed $data, mixed $group = 'default', mixed $expire = 0): bool
        {
            return $this->store('set', $key, $data, $group, $expire);
        }

        /**
         * False, and $found false, where there is nothing, and for the one request that is to rebuild an expired value. The
         * others are told the old one until it has called set(), or has ended.
         */
        public function get(mixed $key, mixed $group = 'default', mixed $force = false, mixed &$found = null): mixed
        {
            $found = false;
            $values = $this->look([$key], $group, $force, $found);
            return reset($values);
        }

        /** @return array<array-key, mixed> key => value or false; what this request has not seen in one round trip per server */
        public function get_multiple(mixed $keys, mixed $group = 'default', mixed $force = false): array
        {
            return $this->look((array) $keys, $group, $force);
        }

        /** Whether there was something. */
        public function delete(mixed $key, mixed $group = 'default'): bool
        {
            $group = self::group($group);
            foreach ($this->ids([$key], $group) as $id) {
                $was_there = $this->has_seen($group, $id);
                unset($this->cache[$group][$id]);
                if (isset($this->volatile_groups[$group])) {
                    return $was_there;
                }
                // What was flushed lies on the server for a while yet, and forget() would take it for something.
                $was_there = $was_there || $this->view($group)->has($id);
                return $this->view($group)->forget($id) && $was_there;
            }
            return false;
        }

        /** The new number, never below 0; false where there is nothing. What is no number counts as 0. */
        public function incr(mixed $key, mixed $offset = 1, mixed $group = 'default'): int|float|false
        {
            $offset = mcpatterns_integer($offset);
            $group = self::group($group);
            foreach ($this->ids([$key], $group) as $id) {
                $number = match (true) {
                    !isset($this->volatile_groups[$group]) => $this->count($this->view($group), $id, $offset),
                    $this->has_seen($group, $id) => self::sum($this->cache[$group][$id], $offset),
                    default => false,
                };
                $this->keep($group, $id, $number === false ? $this->nothing : $number);
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

        /** Prints them for a page of the admins. */
        public function stats(): void
        {
            printf('<p><strong>Cache Hits:</strong> %d<br /><strong>Cache Misses:</strong> %d</p><ul>', $this->cache_hits, $this->cache_misses);
            foreach ($this->cache as $group => $values) {
                printf('<li><strong>Group:</strong> %s - ( %d )</li>', esc_html((string) $group), count($values));
            }
            echo '</ul>';
        }

        /** Everything of this site, all blogs, and nothing else on the servers. */
        public function flush(): bool
        {
            $this->cache = [];
            return $this->view('default')->invalidateTags('site', strict: true);
        }

        /** Of all blogs, at once. */
        public function flush_group(mixed $group): bool
        {
            $group = self::group($group);
            unset($this->cache[$group]);
            return isset($this->volatile_groups[$group]) || $this->view($group)->invalidateTags(self::tag($group), strict: true);
        }

        public function flush_runtime(): bool
        {
            $this->cache = [];
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
            $this->blog = is_multisite() ? (string) mcpatterns_integer($blog_id) : '';
        }

        /**
         * @param array<mixed> $keys
         * @return array<array-key, mixed> key => value or false
         */
        private function look(array $keys, mixed $group, mixed $force, ?bool &$found = null): array
        {
            $group = self::group($group);
            $ids = $this->ids($keys, $group);
            $this->ask($group, array_filter($ids, fn (string $id) => $force || !$this->has_seen($group, $id)));
            $values = [];
            foreach ($ids as $key => $id) {
                $found = $this->has_seen($group, $id);
                $found ? $this->cache_hits++ : $this->cache_misses++;
                $values[$key] = $found ? self::copy($this->cache[$group][$id]) : false;
            }
            return $values;
        }

        /** @param array<array-key, string> $ids */
        private function ask(string $group, array $ids): void
        {
            if ($ids === [] || isset($this->volatile_groups[$group])) {
                return;
            }
            foreach ($this->read($group, $ids) as $id => $value) {
                $this->keep($group, $id, $value);
            }
        }

        /**
         * A value that its own class refuses, after an update perhaps, is as good as not there: then one round trip for each.
         *
         * @param array<array-key, string> $ids
         * @return array<array-key, mixed> id => value or nothing
         */
        private function read(string $group, array $ids): array
        {
            try {
                return $this->view($group)->getMultiple($ids, $this->nothing);
            } catch (Throwable) {
                return count($ids) === 1 ? array_fill_keys($ids, $this->nothing)
                    : array_merge(...array_map(fn (string $id) => $this->read($group, [$id]), array_values($ids)));
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
                    $there = $this->view($group)->peek($id, $this->nothing);
                    $this->keep($group, $id, $there === $this->nothing ? self::copy($data) : $there);
                }
                return $is_stored;
            }
            return false;
        }

        private function send(string $how, string $group, string $id, mixed $data, mixed $expire): bool
        {
            // WordPress' 0 is for ever, as it is here, and so is more than Cache takes; what is to end before now ends now.
            $isOver = is_numeric($expire) && $expire < 0;
            $ttl = is_numeric($expire) && $expire <= 10_000_000_000 ? ($isOver ? 0.001 : $expire + 0) : 0;
            $grace = $isOver ? 0 : null;
            try {
                return match ($how) {
                    'add' => $this->view($group)->add($id, $data, $ttl, $grace),
                    'replace' => $this->view($group)->replace($id, $data, $ttl, $grace),
                    default => $this->view($group)->set($id, $data, $ttl, $grace),
                };
            } catch (UnstorableException|Exception) {    // also what the value throws when it is serialized
                if ($how !== 'add') {
                    unset($this->cache[$group][$id]);
                    $this->view($group)->delete($id);
                }
                return false;
            }
        }

        private function count(Cache $view, string $id, int $offset): int|float|false
        {
            try {
                $number = $view->increment($id, $offset);
                if ($number === false || $number >= 0) {
                    return $number;
                }
            } catch (StoredValueException) {    // no integer
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

        /** What a caller does to an object is nobody else's matter. */
        private static function copy(mixed $value): mixed
        {
            return is_object($value) && !$value instanceof UnitEnum ? clone $value : $value;
        }

        private function keep(string $group, string $id, mixed $value): void
        {
            $this->cache[$group][$id] = $value;
            if ($value === $this->nothing) {
                unset($this->cache[$group][$id]);
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
         * @return array<array-key, string> key => blog and key; what is no key is left out, and complained of
         */
        private function ids(array $keys, string $group): array
        {
            $ids = [];
            foreach ($keys as $key) {
                if (is_int($key) || (is_string($key) && trim($key) !== '')) {
                    $ids[$key] = (isset($this->global_groups[$group]) ? '' : $this->blog) . ":$key";
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

        private function view(string $group): Cache
        {
            if (!isset($this->views[$group])) {
                $this->views[$group] = mcpatterns_object_cache_view($this->pool, rawurlencode($group) . ':')->tagged('site', self::tag($group));
            }
            return $this->views[$group];
        }
    }

    function wp_cache_init(): void { $GLOBALS['wp_object_cache'] = new WP_Object_Cache(); }
    function wp_cache_add(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->add($key, $data, $group, $expire); }
    function wp_cache_replace(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->replace($key, $data, $group, $expire); }
    function wp_cache_set(mixed $key, mixed $data, mixed $group = '', mixed $expire = 0): bool { return mcpatterns_object_cache()->set($key, $data, $group, $expire); }
    function wp_cache_get(mixed $key, mixed $group = '', mixed $force = false, mixed &$found = null): mixed { return mcpatterns_object_cache()->get($key, $group, $force, $found); }
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
    function wp_cache_close(): bool { return true; }

    /** @return array<array-key, bool> */
    function wp_cache_add_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array { return mcpatterns_object_cache()->add_multiple($data, $group, $expire); }
    /** @return array<array-key, bool> */
    function wp_cache_set_multiple(mixed $data, mixed $group = '', mixed $expire = 0): array { return mcpatterns_object_cache()->set_multiple($data, $group, $expire); }
    /** @return array<array-key, bool> */
    function wp_cache_delete_multiple(mixed $keys, mixed $group = ''): array { return mcpatterns_object_cache()->delete_multiple($keys, $group); }
    function wp_cache_supports(mixed $feature): bool { return in_array($feature, ['add_multiple', 'set_multiple', 'get_multiple', 'delete_multiple', 'flush_runtime', 'flush_group'], true); }

    /** The request's. */
    function mcpatterns_object_cache(): WP_Object_Cache
    {
        $cache = $GLOBALS['wp_object_cache'] ?? null;
        return $cache instanceof WP_Object_Cache ? $cache : throw new LogicException('wp_cache_init() comes first');
    }
}
unset($mcpatterns_problem);

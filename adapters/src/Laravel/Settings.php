<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use InvalidArgumentException;
use LogicException;
use McPatterns\Adapters\Arguments;
use McPatterns\Adapters\Outages;
use McPatterns\Cache;
use McPatterns\Pool;

/**
 * One store of config/cache.php. In addition to `servers`, `prefix`, `grace` and `log`, it may have every parameter of
 * Pool's and Cache's constructors, in snake case (connect_timeout, signing_key, transport, lease, wait, early, jitter,
 * stale_on_error, copies ...), except those that Laravel's rules determine. For an enum parameter, the name of a case
 * is sufficient, because env() returns only strings.
 */
final class Settings
{
    private const LARAVEL = ['driver', 'store', 'name', 'events', 'grace', 'lock_servers', 'log', 'options', 'persistent_id', 'sasl'];
    /** Before each key, behind the pool's prefix: by this name Metrics shows them. */
    private const GROUP = 'laravel:';
    private const DECIDED = ['pool', 'ttl', 'stale', 'clearable', 'foreign'];

    /** @var array<string, mixed> by constructor parameter */
    private readonly array $given;

    /**
     * @param array<array-key, mixed> $config
     * @param ?Closure(string, array<mixed>): void $log receives failures, if 'log' is enabled
     */
    public function __construct(private readonly array $config, private readonly ?Closure $log = null)
    {
        if (!extension_loaded('mcpatterns')) {
            throw new LogicException('The cache driver "mcpatterns" requires the PHP extension mcpatterns, which is not loaded (see `php -m`).');
        }
        $settings = array_diff_key($config, array_flip(self::LARAVEL));
        $this->given = (new Arguments("The cache store's setting"))->of($settings, self::DECIDED, Pool::class, Cache::class);
    }

    public function withPrefix(string $prefix): self
    {
        return new self(['prefix' => $prefix] + $this->config, $this->log);
    }

    public function pool(): Pool
    {
        return $this->poolOf($this->given['servers'] ?? null);
    }

    /** Null: locks are where the values are. */
    public function lockPool(): ?Pool
    {
        $servers = $this->config['lock_servers'] ?? null;
        return $servers === null ? null : $this->poolOf($servers);
    }

    private function poolOf(mixed $servers): Pool
    {
        $given = ['servers' => self::servers($servers), 'prefix' => Arguments::prefix($this->prefix())] + $this->given;
        $pool = Arguments::make(Pool::class, $given);
        $log = $this->log;
        if ($log !== null && ($this->config['log'] ?? false)) {
            $pool->onError(fn (string $message, array $context) => Outages::tell($log, $message, $context));
        }
        return $pool;
    }

    /** Without a grace, because Laravel's values are missing after their TTL. Only remember() and flexible() store with a grace. */
    public function cache(Pool $pool, bool $stale = true): Cache
    {
        $decided = ['pool' => $pool, 'prefix' => self::GROUP, 'ttl' => 0, 'grace' => 0, 'stale' => $stale, 'clearable' => !$this->hasCopies()];
        return Arguments::make(Cache::class, $decided + $this->given);
    }

    /** @return array{store: mixed, grace: float} */
    public function repository(): array
    {
        $grace = $this->config['grace'] ?? 0;
        if (!is_numeric($grace) || $grace < 0) {
            throw new InvalidArgumentException("The cache store's setting 'grace' must be a number of seconds.");
        }
        return ['store' => $this->config['store'] ?? null, 'grace' => (float) $grace];
    }

    public function prefix(): string
    {
        $prefix = $this->given['prefix'] ?? '';
        return is_string($prefix) ? $prefix : throw new InvalidArgumentException("The cache store's setting 'prefix' must be a string.");
    }

    public function hasCopies(): bool
    {
        return is_numeric($copies = $this->given['copies'] ?? 1) && $copies > 1;
    }

    /**
     * In the format of Pool, or of Laravel's memcached driver: a list of ['host' => ..., 'port' => ..., 'weight' =>
     * ...].
     *
     * @return string|list<string>|null null: those of php.ini
     */
    private static function servers(mixed $servers): string|array|null
    {
        if ($servers === null) {
            return null;
        }
        return is_array($servers) ? array_map(self::server(...), array_values($servers)) : self::server($servers);
    }

    private static function server(mixed $server): string
    {
        if (is_string($server)) {
            return $server;
        }
        if (!is_array($server) || !is_string($host = $server['host'] ?? null)) {
            throw new InvalidArgumentException("Each of the cache store's servers must be 'host:port' or ['host' => ..., 'port' => ...].");
        }
        ['port' => $port, 'weight' => $weight] = $server + ['port' => 11211, 'weight' => 1];
        $weight = is_numeric($weight) && $weight > 0 ? (int) $weight : 1;
        if (str_starts_with($host, '/')) {
            return "unix://$host:$weight";
        }
        if (str_contains($host, ':') && !str_starts_with($host, '[')) {
            $host = "[$host]";
        }
        return is_numeric($port) ? "$host:" . (int) $port . ":$weight" : throw new InvalidArgumentException("The port of the cache server $host must be a number.");
    }
}

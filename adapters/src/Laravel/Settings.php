<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use InvalidArgumentException;
use McPatterns\Cache;
use McPatterns\Pool;
use ReflectionClass;
use ReflectionMethod;
use ReflectionParameter;

/**
 * One store of config/cache.php. Besides `servers`, `prefix`, `grace` and `log` it may have every parameter of Pool's and
 * Cache's constructors, in snake case (connect_timeout, signing_key, transport, lease, wait, early, jitter,
 * stale_on_error, copies ...), but those that Laravel's own rules decide.
 */
final class Settings
{
    private const LARAVEL = ['driver', 'store', 'name', 'events', 'grace', 'log', 'options', 'persistent_id', 'sasl'];
    /** Before each key, behind the pool's prefix: by this name Metrics shows them. */
    private const GROUP = 'laravel:';
    private const DECIDED = ['pool', 'ttl', 'stale', 'clearable', 'foreign'];

    /** @var array<string, mixed> by constructor parameter */
    private array $given = [];

    /** @param array<array-key, mixed> $config */
    public function __construct(private readonly array $config)
    {
        $known = [...self::parametersOf(Pool::class), ...self::parametersOf(Cache::class)];
        foreach ($config as $name => $value) {
            if (in_array($name, self::LARAVEL, true) || $value === null) {
                continue;
            }
            $parameter = lcfirst(str_replace('_', '', ucwords((string) $name, '_')));
            if (!in_array($parameter, $known, true) || in_array($parameter, self::DECIDED, true)) {
                throw new InvalidArgumentException("The cache store's setting '$name' is none of mcpatterns.");
            }
            $this->given[$parameter] = $value;
        }
    }

    public function pool(): Pool
    {
        $given = ['servers' => $this->servers(), 'prefix' => $this->prefix()] + $this->given;
        return $this->make(Pool::class, $given);
    }

    /** Without a grace, because Laravel's values are gone when their TTL is over; only remember() and flexible() store with one. */
    public function cache(Pool $pool, bool $stale = true): Cache
    {
        $decided = ['pool' => $pool, 'prefix' => self::GROUP, 'ttl' => 0, 'grace' => 0, 'stale' => $stale, 'clearable' => !$this->hasCopies()];
        return $this->make(Cache::class, $decided + $this->given);
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

    public function isLogging(): bool
    {
        return (bool) ($this->config['log'] ?? false);
    }

    private function hasCopies(): bool
    {
        return ($this->given['copies'] ?? 1) !== 1;
    }

    /**
     * As Pool takes them, or as Laravel's memcached driver does: a list of ['host' => ..., 'port' => ..., 'weight' => ...].
     *
     * @return string|list<string>
     */
    private function servers(): string|array
    {
        $servers = $this->given['servers'] ?? (ini_get('mcpatterns.servers') ?: '127.0.0.1:11211');
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
        return is_numeric($port) ? "$host:" . (int) $port . ":$weight" : throw new InvalidArgumentException("The port of the cache server $host is no number.");
    }

    /**
     * @template T of object
     * @param class-string<T> $class
     * @param array<string, mixed> $given
     * @return T
     */
    private function make(string $class, array $given): object
    {
        return (new ReflectionClass($class))->newInstanceArgs(array_intersect_key($given, array_flip(self::parametersOf($class))));
    }

    /**
     * @param class-string $class
     * @return list<string>
     */
    private static function parametersOf(string $class): array
    {
        return array_map(fn (ReflectionParameter $parameter): string => $parameter->name, (new ReflectionMethod($class, '__construct'))->getParameters());
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use Closure;
use DateInterval;
use McPatterns\{Cache, Entry, Refresh};
use Throwable;

/**
 * A Cache whose calls Spans observes without ext-opentelemetry: it has all methods of the Cache that it keeps.
 *
 * @mixin Cache
 */
final class ObservedCache
{
    public function __construct(public readonly Cache $cache)
    {
    }

    /**
     * As Cache::remember(), of which it also takes the named parameters. As of PHP 8.6, a duration can also be a Time\Duration.
     *
     * @param (callable(mixed): (DateInterval|int|float|null))|DateInterval|int|float|null $ttl
     * @param DateInterval|int|float|null $grace
     */
    public function remember(string $key, mixed $ttl, callable $compute, mixed $grace = null, int|float|null $lease = null, int|float|null $wait = null, ?bool $stale = null, ?bool $staleOnError = null, ?float $early = null, ?float $jitter = null, ?Refresh $refresh = null, bool $force = false, ?Entry &$entry = null, ?callable $tags = null): mixed
    {
        return $this->observe('remember', [$key], function () use ($key, $ttl, $compute, $grace, $lease, $wait, $stale, $staleOnError, $early, $jitter, $refresh, $force, &$entry, $tags): mixed {
            return $this->cache->remember($key, $ttl, $compute, $grace, $lease, $wait, $stale, $staleOnError, $early, $jitter, $refresh, $force, $entry, $tags);
        });
    }

    /** @param string|array<string> ...$tags */
    public function tagged(array|string ...$tags): self
    {
        $view = $this->cache->tagged(...$tags);
        Spans::inherit($this->cache, $view);
        return new self($view);
    }

    /** @param array<array-key, mixed> $arguments */
    public function __call(string $method, array $arguments): mixed
    {
        $first = $arguments[0] ?? $arguments['key'] ?? $arguments['keys'] ?? $arguments['values'] ?? null;
        return $this->observe($method, [$first], fn (): mixed => $this->cache->$method(...$arguments));
    }

    /** @param array{mixed} $arguments */
    private function observe(string $method, array $arguments, Closure $do): mixed
    {
        $call = Spans::begin($this->cache, $method, $arguments);
        $result = $thrown = null;
        try {
            return $result = $do();
        } catch (Throwable $thrown) {
            throw $thrown;
        } finally {
            $call?->end($result, $thrown);
        }
    }
}

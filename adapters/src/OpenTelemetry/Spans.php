<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use McPatterns\{Cache, Counter, EventLog, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, Table, UniqueVisitors};
use OpenTelemetry\API\Metrics\{HistogramInterface, MeterProviderInterface};
use OpenTelemetry\API\Trace\{TracerInterface, TracerProviderInterface};
use Throwable;
use WeakMap;

/**
 * Spans for the calls of this process, and their durations, by the semantic conventions for database clients.
 *
 * With ext-opentelemetry, start() observes all objects that are created after it. Without it, only those of cache().
 * Keys are never attributes.
 */
final class Spans
{
    /** Buckets of db.client.operation.duration, in seconds, as the conventions have them. */
    private const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
    /** Methods that ask servers. Those with a user's computation have spans of another kind: see Call. */
    private const METHODS = [
        Cache::class => ['remember', 'rememberMany', 'get', 'peek', 'entry', 'lookup', 'publish', 'abandon', 'has', 'set', 'add', 'replace', 'update', 'pull',
            'delete', 'forget', 'expire', 'touch', 'increment', 'decrement', 'getMultiple', 'prefetch', 'setMultiple', 'deleteMultiple', 'expireMultiple',
            'invalidateTags', 'deleteTags', 'clear'],
        Counter::class => ['increment', 'decrement', 'value', 'set', 'reset', 'drain'],
        EventLog::class => ['append', 'last', 'since', 'clear'],
        Lock::class => ['acquire', 'refresh', 'release', 'forceRelease', 'isLocked', 'currentOwner'],
        MemberSet::class => ['add', 'remove', 'has', 'members', 'count', 'clear'],
        OnlineCounter::class => ['increment', 'hit', 'count', 'perSlot'],
        RateLimiter::class => ['attempt', 'remaining', 'availableIn', 'reset'],
        Semaphore::class => ['acquire', 'refresh', 'release', 'available'],
        Table::class => ['put', 'get', 'has', 'update', 'delete', 'ids', 'rows', 'count', 'clear'],
        UniqueVisitors::class => ['hit', 'count', 'perSlot', 'reset'],
    ];

    private static ?self $current = null;
    private static bool $isHooked = false;
    /** @var ?WeakMap<object, Origin> of the objects whose constructor was seen */
    private static ?WeakMap $origins = null;

    private function __construct(public readonly TracerInterface $tracer, public readonly ?HistogramInterface $duration)
    {
    }

    /** Replaces the providers of an earlier start(). Without $meters, no durations are recorded. */
    public static function start(TracerProviderInterface $tracers, ?MeterProviderInterface $meters = null): self
    {
        self::hook();
        return self::$current = new self(
            $tracers->getTracer('mcpatterns'),
            $meters?->getMeter('mcpatterns')->createHistogram('db.client.operation.duration', 's', 'Duration of database client operations.', ['ExplicitBucketBoundaries' => self::BUCKETS]),
        );
    }

    public static function stop(): void
    {
        self::$current = null;
    }

    /** A Cache whose calls are observed also without ext-opentelemetry. The parameters are those of Cache's constructor. */
    public static function cache(Pool $pool, string $prefix = '', mixed ...$options): ObservedCache
    {
        $cache = new Cache($pool, $prefix, ...$options);    // @phpstan-ignore argument.type (it checks them itself)
        self::origins()[$cache] ??= new Origin($pool, $prefix);
        return new ObservedCache($cache);
    }

    /**
     * Begins a call of an object that is not hooked.
     *
     * @internal
     * @param array<array-key, mixed> $arguments
     */
    public static function begin(object $object, string $method, array $arguments): ?Call
    {
        if (self::$isHooked || self::$current === null || $method === '' || !in_array($method, self::METHODS[$object::class] ?? [], true)) {
            return null;
        }
        return Call::begin(self::$current, self::origins()[$object] ?? null, $object, $method, $arguments);
    }

    /** @internal */
    public static function inherit(Cache $from, Cache $view): void
    {
        if (isset(self::origins()[$from])) {
            self::origins()[$view] = self::origins()[$from];
        }
    }

    /** Once: hooks stay until the request ends. */
    private static function hook(): void
    {
        $hook = 'OpenTelemetry\Instrumentation\hook';
        if (self::$isHooked || !extension_loaded('opentelemetry')) {
            return;
        }
        $begin = static function (object $object, array $arguments, ?string $class, string $method): void {
            if (self::$current !== null && $method !== '') {
                Call::begin(self::$current, self::origins()[$object] ?? null, $object, $method, $arguments);
            }
        };
        $end = static function (object $object, array $arguments, mixed $result, ?Throwable $thrown, ?string $class, string $method): void {
            Call::current($object, $method)?->end($result, $thrown);
        };
        foreach (self::METHODS as $class => $methods) {
            $hook($class, '__construct', null, static function (object $object, array $arguments): void {
                if (($arguments[0] ?? null) instanceof Pool) {
                    self::origins()[$object] = new Origin($arguments[0], is_string($arguments[1] ?? null) ? $arguments[1] : '');
                }
            });
            foreach ($methods as $method) {
                $hook($class, $method, $begin, $end);
            }
        }
        $hook(Cache::class, 'tagged', null, static function (Cache $cache, array $arguments, mixed $view): void {
            $view instanceof Cache && self::inherit($cache, $view);
        });
        self::$isHooked = true;
    }

    /** @return WeakMap<object, Origin> */
    private static function origins(): WeakMap
    {
        return self::$origins ??= new WeakMap();
    }
}

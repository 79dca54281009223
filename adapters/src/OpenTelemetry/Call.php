<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use McPatterns\Cache;
use OpenTelemetry\API\Trace\{Span, SpanInterface, SpanKind, StatusCode};
use OpenTelemetry\Context\{Context, ContextInterface, ContextKeyInterface};
use ReflectionClass;
use Throwable;

/**
 * One observed call, kept in the Context while it runs: remember() and rememberMany() as an INTERNAL span that is the
 * parent of what the computation does, all others as a CLIENT span that begins when the call has ended.
 *
 * Cache::stats() tells what the call did. Calls inside it are subtracted: while one runs, the outer call does not count.
 *
 * @internal
 * @phpstan-type Counts non-empty-array<'hits'|'stale'|'misses'|'waited'|'errors'|'near'|'compute_seconds', int|float>
 */
final class Call
{
    private const NONE = ['hits' => 0, 'stale' => 0, 'misses' => 0, 'waited' => 0, 'errors' => 0, 'near' => 0, 'compute_seconds' => 0.0];

    /** @var Counts */
    private array $own = self::NONE;
    /** @var Counts */
    private array $before = self::NONE;
    private ?SpanInterface $span = null;
    private readonly int $began;
    private readonly int $clock;

    /**
     * @param non-empty-string $method
     * @param array<array-key, mixed> $arguments
     */
    private function __construct(
        private readonly Spans $spans,
        private readonly ?Origin $origin,
        private readonly object $object,
        private readonly string $method,
        private readonly array $arguments,
    ) {
        $this->clock = (int) (microtime(true) * 1e9);
        $this->began = hrtime(true);
    }

    /**
     * @param non-empty-string $method
     * @param array<array-key, mixed> $arguments
     */
    public static function begin(Spans $spans, ?Origin $origin, object $object, string $method, array $arguments): self
    {
        $outer = Context::getCurrent();
        $outer->get(self::key())?->pause();
        $call = new self($spans, $origin, $object, $method, $arguments);
        $context = $outer->with(self::key(), $call);
        Context::storage()->attach($call->computes() ? $call->withSpan($context) : $context);
        $call->resume();
        return $call;
    }

    /** The innermost call, if it is this one. */
    public static function current(object $object, string $method): ?self
    {
        $call = Context::getCurrent()->get(self::key());
        return $call?->object === $object && $call->method === $method ? $call : null;
    }

    public function end(mixed $result, ?Throwable $thrown): void
    {
        $seconds = (hrtime(true) - $this->began) / 1e9;
        $this->pause();
        Context::storage()->scope()?->detach();
        if ($this->span !== null) {
            $this->endComputing($this->span, $seconds, $thrown);
        } elseif (!$this->isNear()) {
            $this->endClient($seconds, $result, $thrown);
        }
        Context::getCurrent()->get(self::key())?->resume();
    }

    private function computes(): bool
    {
        return $this->object instanceof Cache && str_starts_with($this->method, 'remember');
    }

    private function withSpan(ContextInterface $context): ContextInterface
    {
        $group = $this->group();
        $builder = $this->spans->tracer->spanBuilder($this->method . ($group === null || $group === '' ? '' : " $group"))->setSpanKind(SpanKind::KIND_INTERNAL);
        $this->span = $builder->setAttribute('mcpatterns.cache.group', $group)->setParent($context)->startSpan();
        return $this->span->storeInContext($context);
    }

    /** A hit, and a stale value, are one operation of the server; a wait and a computation are none. */
    private function endComputing(SpanInterface $span, float $seconds, ?Throwable $thrown): void
    {
        $isComputed = $this->own['compute_seconds'] > 0 || ($thrown === null && $this->own['hits'] + $this->own['stale'] === 0);
        $this->own['stale'] > 0 && $span->addEvent('mcpatterns.stale');
        $this->own['waited'] > 0 && $span->addEvent('mcpatterns.waited');
        $isComputed && $span->addEvent('mcpatterns.computed', ['mcpatterns.compute.time' => round($this->own['compute_seconds'], 3)]);
        $this->own['errors'] > 0 && $span->addEvent('mcpatterns.server_failed', ['exception.message' => $this->origin?->failure() ?? '']);
        if ($thrown !== null) {
            $span->recordException($thrown)->setStatus(StatusCode::STATUS_ERROR, $thrown->getMessage());
        } elseif (!$isComputed && $this->own['waited'] === 0 && !$this->isNear()) {
            $this->record($seconds, $this->attributes($this->method));
        }
        $span->end();
    }

    private function endClient(float $seconds, mixed $result, ?Throwable $thrown): void
    {
        $failed = $thrown !== null || $this->own['errors'] > 0;
        [$operation, $size] = $this->operation($result);
        $attributes = $this->attributes($operation) + ($failed ? ['error.type' => $thrown !== null ? $thrown::class : '_OTHER'] : []);
        $this->record($seconds, $attributes);
        $server = isset($attributes['server.address']) ? " {$attributes['server.address']}" . (isset($attributes['server.port']) ? ":{$attributes['server.port']}" : '') : '';
        $builder = $this->spans->tracer->spanBuilder($operation . $server)->setSpanKind(SpanKind::KIND_CLIENT)->setStartTimestamp($this->clock);
        $span = $builder->setAttributes($attributes + ['db.operation.batch.size' => $size, 'mcpatterns.cache.group' => $this->group()])->startSpan();
        if ($failed) {
            $thrown !== null && $span->recordException($thrown);
            $span->setStatus(StatusCode::STATUS_ERROR, $thrown?->getMessage() ?? $this->origin?->failure());
        }
        $span->end($this->clock + (int) ($seconds * 1e9));
    }

    /** @param array<non-empty-string, string|int> $attributes */
    private function record(float $seconds, array $attributes): void
    {
        $this->spans->duration?->record($seconds, $attributes);
    }

    /** @return array{non-empty-string, ?int} its name, and the size of a batch: of one operation, it is none */
    private function operation(mixed $result): array
    {
        if (!$this->object instanceof Cache) {
            return [lcfirst((new ReflectionClass($this->object))->getShortName()) . ".$this->method", null];
        }
        $single = strstr($this->method, 'Multiple', true);
        if ($single === false || $single === '') {
            return [$this->method, null];
        }
        $keys = $this->arguments[0] ?? null;
        $size = is_countable($keys) ? count($keys) : (is_array($result) ? count($result) : null);
        return $size === 1 ? [$single, null] : ["BATCH $single", $size];
    }

    /** @return array<non-empty-string, string|int> */
    private function attributes(string $operation): array
    {
        $key = $this->arguments[0] ?? null;
        $hasServer = $this->object instanceof Cache && is_string($key) && !str_ends_with($this->method, 'Tags');
        return ['db.system.name' => 'memcached', 'db.operation.name' => $operation] + ($this->origin?->address($hasServer ? $key : null) ?? []);
    }

    private function group(): ?string
    {
        return $this->object instanceof Cache && $this->origin !== null ? Meter::text($this->origin->name) : null;
    }

    /** Whether no server was asked. */
    private function isNear(): bool
    {
        return $this->own['near'] > 0 && $this->own['near'] === $this->own['hits'] && $this->own['stale'] + $this->own['misses'] === 0;
    }

    private function resume(): void
    {
        $this->before = $this->counts();
    }

    private function pause(): void
    {
        $now = $this->counts();
        foreach (self::NONE as $name => $none) {
            $this->own[$name] += $now[$name] - $this->before[$name];
        }
    }

    /** @return Counts */
    private function counts(): array
    {
        return $this->object instanceof Cache ? array_intersect_key($this->object->stats(), self::NONE) : self::NONE;
    }

    /** @return ContextKeyInterface<self> */
    private static function key(): ContextKeyInterface
    {
        /** @var ?ContextKeyInterface<self> $key */
        static $key = null;
        return $key ??= Context::createKey('mcpatterns.call');
    }
}

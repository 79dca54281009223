<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use Illuminate\Cache\Events\CacheEvent;
use Illuminate\Cache\Events\KeyWriteFailed;
use Illuminate\Cache\Events\KeyWritten;
use Illuminate\Cache\Events\WritingKey;
use Illuminate\Container\Container;
use Illuminate\Contracts\Debug\ExceptionHandler;
use McPatterns\Adapters\Answers;
use McPatterns\Cache;
use McPatterns\Clock;
use Throwable;

/** One computation of a repository's remember(): creates the events that Laravel's own remember() would fire when it stores. */
final class Rebuild
{
    /** Resolution of the clock in seconds. Times closer than this count as equal. */
    private const RESOLUTION = 0.0005;

    private ?int $seconds = null;
    private int $storedBefore = 0;
    private ?Throwable $answer = null;

    public function __construct(
        private readonly Cache $cache,
        private readonly string $key,
        private readonly ?string $store,
    ) {
    }

    /**
     * Returns the result of the callback. An exception that is a response is kept for end() if no stale value exists.
     * If one exists, flexible() returns it to all callers, and the exception goes to the application's handler, as from
     * Laravel's own refresh.
     */
    public function run(Closure $callback, bool $hasOld, bool $isFlexible): mixed
    {
        try {
            return $callback();
        } catch (Throwable $thrown) {
            if ($hasOld && $isFlexible) {
                self::report($thrown);
            }
            $this->answer = !$hasOld && Answers::isOne($thrown) ? $thrown : throw $thrown;
            return null;
        }
    }

    public function isAnswered(): bool
    {
        return $this->answer !== null;
    }

    /** Called between the computation and the store, with the TTL in seconds. */
    public function write(mixed $value, int $seconds): CacheEvent
    {
        $this->seconds = $seconds;
        $this->storedBefore = $this->cache->stats()['stored'];
        return new WritingKey($this->store, $this->key, $value, $seconds ?: null);
    }

    /**
     * Returns the event about the result of the store; null if no value was to be stored.
     *
     * @throws Throwable the callback's answer
     */
    public function end(mixed $value): ?CacheEvent
    {
        if ($this->answer !== null) {
            throw $this->answer;
        }
        if ($this->seconds === null) {
            return null;
        }
        $isStored = $this->cache->stats()['stored'] > $this->storedBefore;
        return $isStored ? new KeyWritten($this->store, $this->key, $value, $this->seconds ?: null)
            : new KeyWriteFailed($this->store, $this->key, $value, $this->seconds ?: null);
    }

    /** Returns whether a null was stored while this caller waited. Such a null is the result; an older null is not. */
    public static function isStoredSince(Cache $cache, string $item, float $began): bool
    {
        $now = Clock::now();
        $age = $cache->entry($item)->age;
        return $age !== null && $now - $age > $began + self::RESOLUTION;
    }

    private static function report(Throwable $failure): void
    {
        $app = Container::getInstance();
        if ($app->bound(ExceptionHandler::class)) {
            $app->make(ExceptionHandler::class)->report($failure);
        }
    }
}

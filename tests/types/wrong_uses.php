<?php
/* What PHPStan finds wrong, by stubs/ alone: a line that ends with "error:" must have an error with these words, and no other line
 * may have any. Nothing of it is ever run. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tests\Types;

use McPatterns\{Cache, Counter, Entry, Lock, Pool, RateLimiter, Semaphore};

function wants_int(int $number): void
{
    echo $number;
}

function wrong_callbacks(Cache $cache, Pool $pool): void
{
    $cache->remember('too many', 60, fn (Entry $old, int $other): int => 1);         // error: |(callable(McPatterns\Entry): 1), Closure(McPatterns\Entry, int): 1 given
    $cache->remember('another', 60, fn (Article $old): int => 1);                    // error: |(callable(McPatterns\Entry): 1), Closure(McPatterns\Tests\Types\Article): 1 given
    $cache->remember('no ttl', fn (int $new): string => 'soon', fn (): int => 1);    // error: Parameter #2 $ttl
    $cache->remember('other value', fn (Article $new): int => 1, fn (): int => 1);   // error: Parameter #2 $ttl
    $cache->update('never null', fn (int $old): int => $old + 1);                    // error: expects callable(int|null): int, Closure(int): int
    $cache->rememberMany(['a'], 60, fn (array $missing): int => 1);                  // error: expects callable(list<string>): array<mixed>, Closure(array): 1 given
    new Counter($pool, 'number', initial: fn (): string => '1');                     // error: expects (callable(): int)|int, Closure(): '1' given
    (new Counter($pool, 'number'))->drain(fn (string $taken) => strlen($taken));     // error: Parameter #1 $store
    (new Lock($pool, 'one'))->run(fn (Semaphore $held): int => 1);                   // error: (callable(McPatterns\Lock): 1), Closure(McPatterns\Semaphore): 1 given
    $pool->onError(fn (int $message) => null);                                       // error: Parameter #1 $listener
}

/** @param list<float> $times */
function wrong_keys(Cache $cache, array $times): void
{
    $cache->get(5);                                                                  // error: Parameter #1 $key of method McPatterns\Cache::get() expects string, int given
    $cache->set(null, 1);                                                            // error: expects string, null given
    $cache->getMultiple($times);                                                     // error: expects iterable<(int|string)>, list<float> given
    $cache->deleteMultiple('a');                                                     // error: expects iterable<(int|string)>, string given
    $cache->rememberMany([new Article()], 60, fn (array $missing): array => []);     // error: Parameter #1 $keys of method McPatterns\Cache::rememberMany()
}

function ignored_false(Cache $cache, Pool $pool): void
{
    wants_int($cache->increment('number'));                                          // error: expects int, int|false given
    (new Lock($pool, 'one'))->acquire();                                             // error: McPatterns\Lock::acquire() on a separate line discards return value
    (new Lock($pool, 'one'))->refresh();                                             // error: McPatterns\Lock::refresh() on a separate line discards return value
    (new Semaphore($pool, 'three', 3))->acquire(2);                                  // error: McPatterns\Semaphore::acquire() on a separate line discards return value
    (new RateLimiter($pool, 'api', 3, 60))->attempt('me');                           // error: McPatterns\RateLimiter::attempt() on a separate line discards return value
    (new Lock($pool, 'one'))->detach();                                              // error: McPatterns\Lock::detach() on a separate line discards return value
}

function wrong_results(Cache $cache, Pool $pool): void
{
    wants_int($cache->remember('name', 60, fn (): string => 'text'));                // error: expects int, string given
    wants_int((new Lock($pool, 'one'))->run(fn (): ?int => null));                   // error: expects int, null given
    wants_int($cache->get('number'));                                                // error: expects int, mixed given
    echo $cache->stats()['evicted'];                                                 // error: Offset 'evicted' does not exist
    echo $pool->servers()[0]['address'];                                             // error: Offset 'address' does not exist
    echo array_sum($pool->ping()) + current($pool->lastErrors())['at'];              // error: Offset 'at' might not exist on array{message: string, at: float}|null
}

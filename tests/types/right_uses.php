<?php
/* What PHPStan knows of every result, at its highest level and by stubs/ alone: it reports an assertType() that is not so, and
 * whatever it would find wrong here. Nothing of it is ever run. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tests\Types;

use McPatterns\{Cache, Clock, Counter, Entry, EventLog, Key, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Refresh, Semaphore, Status, Table, UniqueVisitors};
use function PHPStan\Testing\assertType;

final class Article
{
    public string $title = '';

    /** @param list<string> $columns */
    public static function newest(array $columns = ['*']): self
    {
        return new self();
    }
}

function remembered(Cache $cache): void
{
    assertType('non-falsy-string', $cache->remember('name', 60, fn (): string => date('c')));
    assertType('array{title: non-falsy-string}', $cache->remember('row', new \DateInterval('PT1M'), fn () => ['title' => date('c')]));
    assertType('int<1, max>', $cache->remember('function', null, 'time'));
    assertType(Article::class, $cache->remember('method', 0.5, Article::newest(...)));
    assertType('float|null', $cache->remember('entry', 60, fn (Entry $old): ?float => $old->age));
    assertType(Article::class, $cache->remember('ttl', fn (Article $new): ?int => $new->title === '' ? null : 60, fn () => new Article()));
    assertType('null', $cache->remember('null', 60, fn () => null));
    assertType('4', $cache->remember('story', 60, fn () => 4, refresh: Refresh::AfterResponse, entry: $entry));
    assertType(Entry::class, $entry);
    assertType('bool', $entry->status === Status::Elected);
}

function changed(Cache $cache): void
{
    assertType('int', $cache->update('number', fn (?int $old): int => ($old ?? 0) + 1));
    assertType('non-empty-list<mixed>', $cache->update('list', fn (mixed $old) => [...is_array($old) ? array_values($old) : [], 1]));
    assertType('int|false', $cache->increment('number', initial: 0));
    assertType('mixed', $cache->get('name', 'default'));
}

/** @param list<string> $names */
function many(Cache $cache, array $names): void
{
    assertType('array<string, float|null>', $cache->rememberMany($names, 60, fn (array $missing): array => array_fill_keys($missing, 0.5 + count($missing))));
    assertType('array<int<0, max>, mixed>', $cache->getMultiple(array_map(strlen(...), $names)));
    assertType('bool', $cache->setMultiple(['a' => 1, 'b' => null]));
    assertType('bool', $cache->deleteMultiple((fn () => yield from $names)()));
    assertType('int', $cache->stats()['hits']);
    assertType('float', $cache->stats()['saved_seconds']);
}

function locked(Pool $pool): void
{
    $lock = new Lock($pool, 'one');
    assertType('non-falsy-string', $lock->run(fn (): string => date('c')));
    assertType('array{non-empty-string, bool}', $lock->run(fn (Lock $held) => [$held->owner(), $held->refresh()], wait: 2));
    assertType('int', (new Semaphore($pool, 'three', 3))->run(fn (Semaphore $held): int => $held->token()));
    if ($lock->isHeld()) {
        Clock::advance(60.0);
        echo $lock->isHeld() ? 'a second answer may be another' : 'run out';
    }
    if ($lock->acquire(wait: 1.5)) {
        assertType('non-empty-string', $lock->detach());
    }
}

function counted(Pool $pool): void
{
    $counter = new Counter($pool, 'views', initial: fn (): int => random_int(0, 9));
    assertType('int<0, max>', $counter->increment());
    assertType('int<0, max>', $counter->drain(function (int $taken): void { assertType('int<1, max>', $taken); }));
    assertType('int<0, max>', (new OnlineCounter($pool, 'page'))->count(smooth: true));
    assertType('array<int, int<0, max>>', (new OnlineCounter($pool, 'page'))->perSlot());
    assertType('int<0, max>', (new UniqueVisitors($pool, 'today'))->count(new UniqueVisitors($pool, 'yesterday')));
    assertType('int<0, max>', (new RateLimiter($pool, 'api', limit: 3, period: 60))->remaining('me'));
}

function listed(Pool $pool): void
{
    $log = new EventLog($pool, 'errors');
    foreach ($log->since($cursor, lost: $lost) as [$time, $event]) {
        assertType('float', $time);
        assertType('mixed', $event);
    }
    assertType('string', $cursor);
    assertType('int<0, max>', $lost);
    assertType('list<array{float, mixed}>', $log->last());
    assertType('list<string>', (new MemberSet($pool, 'online'))->members());
    $jobs = new Table($pool, 'jobs');
    assertType('array{done: int}', $jobs->update('export', fn (mixed $old): array => ['done' => is_int($old) ? $old : 0]));
    assertType('array<mixed>', $jobs->rows(['export']));
    assertType('list<string>', $jobs->ids());
}

function listening(Pool $pool): void
{
    foreach ($pool->servers() as ['host' => $host, 'port' => $port, 'weight' => $weight]) {
        assertType('non-empty-string', $host);
        assertType('int<0, 65535>', $port);
        assertType('int<1, max>', $weight);
    }
    assertType('non-empty-array<string, float|null>', $pool->ping());
    assertType('non-empty-array<string, array<string, int|string>|null>', $pool->stats());
    foreach ($pool->lastErrors() as $failure) {
        assertType('array{message: string, at: float}|null', $failure);
    }
    $pool->onError(function (string $message, array $context): void {
        assertType("'computation'|'different'|'server'|'unreadable'|'unstorable'|'when_down'", $context['kind']);
        assertType('string', $context['key'] ?? '');
        assertType('Throwable|null', $context['exception'] ?? null);
    });
    assertType('non-falsy-string', Key::of('news', page: 2));
}

<?php
/* Calls of Laravel's repository, over Laravel's own driver for memcached and over this project's; loaded by adapters.php. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use Illuminate\Cache\CacheServiceProvider;
use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\Repository;
use Illuminate\Config\Repository as Config;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Foundation\Application;
use McPatterns\Adapters\Laravel\McPatternsServiceProvider;

require __DIR__ . '/../../adapters/tests/laravel/stand-ins.php';

/** @return array{Repository, RateLimiter} what laravel_calls() are prepared with */
function laravel_client(string $socket, string $client): array
{
	$app = new Application('/nonexistent');
	$app->instance('config', new Config(['cache' => ['default' => $client, 'prefix' => "$client-cache-", 'stores' => [
		'own' => ['driver' => 'memcached', 'servers' => [['host' => $socket, 'port' => 0, 'weight' => 100]]],
		'libmemcached' => ['driver' => 'mcpatterns', 'servers' => "unix://$socket", 'transport' => 'libmemcached', 'timeout' => 30],
		'direct' => ['driver' => 'mcpatterns', 'servers' => "unix://$socket", 'transport' => 'direct', 'timeout' => 30],
	]]]));
	array_map($app->register(...), [EventServiceProvider::class, CacheServiceProvider::class, McPatternsServiceProvider::class]);
	$app->boot();
	return [$app->make('cache')->store(), $app->make(RateLimiter::class)];
}

/** @return array<string, callable(Repository, RateLimiter): callable> name => what prepares the call */
function laravel_calls(): array
{
	$row = row();
	$compute = fn (): array => $row;
	$with = fn (\Closure $call): callable => fn (Repository $cache): callable => [$cache->put('hit', $row, 600), fn (): mixed => $call($cache)][1];
	$many = array_fill_keys(hundred(), $row);
	$count = fn (\Closure $call): callable => fn (Repository $cache): callable => [$cache->put('number', 1_000_000_000, 600), fn (): mixed => $call($cache)][1];
	$tagged = fn (\Closure $call): callable => function (Repository $cache) use ($call, $row): callable {
		$cache->tags(['a', 'b'])->put('hit', $row, 600);
		return fn (): mixed => $call($cache->tags(['a', 'b']));
	};
	return [
		'get' => $with(fn (Repository $cache): mixed => $cache->get('hit')),
		'get, missing' => fn (Repository $cache): callable => fn (): mixed => $cache->get('absent'),
		'has' => $with(fn (Repository $cache): bool => $cache->has('hit')),
		'many, 100 keys' => fn (Repository $cache): callable => [$cache->putMany($many, 600), fn (): array => $cache->many(array_keys($many))][1],
		'put' => $with(fn (Repository $cache): bool => $cache->put('hit', $row, 600)),
		'putMany, 100 keys' => fn (Repository $cache): callable => fn (): bool => $cache->putMany($many, 600),
		'add' => fn (Repository $cache): callable => fn (): bool => $cache->add(new_key(), $row, 600),
		'add, taken' => $with(fn (Repository $cache): bool => $cache->add('hit', $row, 600)),
		'increment' => $count(fn (Repository $cache): mixed => $cache->increment('number')),
		'decrement' => $count(fn (Repository $cache): mixed => $cache->decrement('number')),
		'forever' => $with(fn (Repository $cache): bool => $cache->forever('hit', $row)),
		'forget, missing' => fn (Repository $cache): callable => fn (): bool => $cache->forget('absent'),
		'put, forget' => $with(fn (Repository $cache): bool => $cache->put('hit', $row, 600) && $cache->forget('hit')),
		'put, pull' => $with(fn (Repository $cache): mixed => $cache->put('hit', $row, 600) ? $cache->pull('hit') : null),
		'remember' => $with(fn (Repository $cache): mixed => $cache->remember('hit', 600, $compute)),
		'remember, missing' => fn (Repository $cache): callable => fn (): mixed => $cache->remember(new_key(), 600, $compute),
		'rememberForever' => $with(fn (Repository $cache): mixed => $cache->rememberForever('hit', $compute)),
		'flexible' => fn (Repository $cache): callable => [$cache->forget('soft'), fn (): mixed => $cache->flexible('soft', [300, 600], $compute)][1],
		'flexible, missing' => fn (Repository $cache): callable => fn (): mixed => $cache->flexible(new_key(), [300, 600], $compute),
		'tags: get' => $tagged(fn (Repository $cache): mixed => $cache->get('hit')),
		'tags: many, 100 keys' => function (Repository $cache) use ($many): callable {
			$cache->tags(['a', 'b'])->putMany($many, 600);
			return fn (): array => $cache->tags(['a', 'b'])->many(array_keys($many));
		},
		'tags: put' => $tagged(fn (Repository $cache): bool => $cache->put('hit', $row, 600)),
		'tags: remember' => $tagged(fn (Repository $cache): mixed => $cache->remember('hit', 600, $compute)),
		'tags: flush' => $tagged(fn (Repository $cache): mixed => $cache->flush()),
		'lock: get, release' => fn (Repository $cache): callable => function () use ($cache): bool {
			$lock = $cache->lock('lock', 10);
			return $lock->get() && $lock->release();
		},
		'RateLimiter: hit' => fn (Repository $cache, RateLimiter $limiter): callable => fn (): mixed => $limiter->hit('limited', 600),
		'RateLimiter: tooManyAttempts' => fn (Repository $cache, RateLimiter $limiter): callable => [$limiter->hit('looked-at', 600),
			fn (): mixed => $limiter->tooManyAttempts('looked-at', 100)][1],
		'RateLimiter: attempt' => fn (Repository $cache, RateLimiter $limiter): callable => fn (): mixed => $limiter->attempt('tried', PHP_INT_MAX, fn (): bool => true, 600),
		'flush' => fn (Repository $cache): callable => fn (): bool => $cache->clear(),
	];
}

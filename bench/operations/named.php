<?php
/* Calls that name an argument behind others that are left out: PHP then fills in the defaults of those, each time. Beside
 * each of them stands the same call without the name. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool, Transport};

/** @return array<string, callable> what $make makes, and is dropped again, of the servers and a Pool of them */
function making(callable $make): array
{
	return ['mcpatterns' => function (Pool $pool) use ($make): callable {
		$pool->ping();
		return $make($pool->servers()[0]['host'], $pool);
	}];
}

/** @return array<string, callable> a fresh hit and what is told of it; php-memcached tells flags and cas */
function remembering_with_its_story(mixed $value): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($value): callable {
			$cache = new Cache($pool);
			$cache->set('mcp', $value);
			$compute = fn (): mixed => $value;
			return function (int $calls) use ($cache, $compute): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->remember('mcp', 3600, $compute, entry: $entry);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($value): callable {
			$memcached->set('mem', $value, 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->get('mem', get_flags: \Memcached::GET_EXTENDED);
				}
			};
		},
	];
}

/** @return array<string, array<string, callable>> operation => client => what prepares the loop */
function named_operations(): array
{
	return [
		'remember, fresh, with entry: $e' => remembering_with_its_story(text()),
		'new Pool' => making(fn (string $server): callable => function (int $calls) use ($server): void {
			for ($call = 0; $call < $calls; $call++) {
				new Pool($server);
			}
		}),
		'new Pool of 100 servers' => making(fn (): callable => function (int $calls): void {
			$servers = array_map(fn (int $number): string => "10.0.0.$number:11211", range(1, 100));
			for ($call = 0; $call < $calls; $call++) {
				new Pool($servers);
			}
		}),
		'new Pool, with transport:' => making(fn (string $server): callable => function (int $calls) use ($server): void {
			for ($call = 0; $call < $calls; $call++) {
				new Pool($server, transport: Transport::Libmemcached);
			}
		}),
		'new Cache' => making(fn (string $server, Pool $pool): callable => function (int $calls) use ($pool): void {
			for ($call = 0; $call < $calls; $call++) {
				new Cache($pool);
			}
		}),
		'new Cache, with near: 0.5' => making(fn (string $server, Pool $pool): callable => function (int $calls) use ($pool): void {
			for ($call = 0; $call < $calls; $call++) {
				new Cache($pool, near: 0.5);
			}
		}),
		'new Pool, new Cache' => making(fn (string $server): callable => function (int $calls) use ($server): void {
			for ($call = 0; $call < $calls; $call++) {
				new Cache(new Pool($server));
			}
		}),
	];
}

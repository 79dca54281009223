<?php
/* The operations that a Cache with `near` answers out of this host's memory: out of its own, or out of that which the host's
 * processes share. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool};

/** More keys than an object keeps, and fewer than the host's memory has room for. */
function shared_keys(string $client = 'near'): array
{
	return array_map(fn (int $number): string => "$client$number", range(1, 300));
}

/**
 * @return array<string, callable> keys in turn, by an object that has read none of them, as a request's has: each is found
 * in the host's memory. An object is made for each round of 300.
 */
function getting_shared(mixed $value): array
{
	$keys = shared_keys();
	return [
		'mcpatterns' => function (Pool $pool) use ($value, $keys): callable {
			$cache = new Cache($pool, near: 60);
			foreach ($keys as $key) {
				$cache->set($key, $value);
				$cache->get($key);
			}
			$newest = new Cache($pool, near: 60);
			$next = 0;
			return function (int $calls) use ($pool, $keys, &$newest, &$next): void {
				$cache = $newest;
				$at = $next;
				for ($call = 0; $call < $calls; $call++) {
					$cache->get($keys[$at]);
					if ($at === 299) {
						$cache = new Cache($pool, near: 60);
						$at = 0;
					} else {
						$at = $at + 1;
					}
				}
				$newest = $cache;
				$next = $at;
			};
		},
		'memcached' => function (\Memcached $memcached) use ($value): callable {
			$keys = shared_keys('bare');
			$memcached->setMulti(array_fill_keys($keys, $value), 3600);
			$next = 0;
			return function (int $calls) use ($memcached, $keys, &$next): void {
				$at = $next;
				for ($call = 0; $call < $calls; $call++) {
					$memcached->get($keys[$at]);
					if ($at === 299) {
						$at = 0;
					} else {
						$at = $at + 1;
					}
				}
				$next = $at;
			};
		},
	];
}

/** @return array<string, callable> the same keys, so many at a time: a whole page's, of which this request has asked for none */
function getting_many_shared(int $count): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($count): callable {
			$values = array_fill_keys(shared_keys(), text());
			(new Cache($pool, near: 60))->setMultiple($values);
			(new Cache($pool, near: 60))->getMultiple(array_keys($values));
			$lists = array_chunk(array_keys($values), $count);
			$cache = null;
			$next = 0;
			return function (int $calls) use ($pool, $lists, &$cache, &$next): void {
				for ($call = 0; $call < $calls; $call++) {
					if ($next === 0) {
						$cache = new Cache($pool, near: 60);
					}
					$cache->getMultiple($lists[$next]);
					$next = ($next + 1) % count($lists);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($count): callable {
			$keys = shared_keys('bare');
			$memcached->setMulti(array_fill_keys($keys, text()), 3600);
			$lists = array_chunk($keys, $count);
			$next = 0;
			return function (int $calls) use ($memcached, $lists, &$next): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->getMulti($lists[$next]);
					$next = ($next + 1) % count($lists);
				}
			};
		},
	];
}

/** The same loop, once each of the keys was found by another object in the memory that the host's processes share; or this throws. */
function found_in_the_host(array $clients): callable
{
	return function (Pool $pool) use ($clients): callable {
		$loop = $clients['mcpatterns']($pool);
		$loop(600);
		$other = new Cache($pool, near: 60);
		foreach (shared_keys() as $key) {
			$other->get($key);
		}
		if ($other->stats()['near_shared'] !== count(shared_keys())) {
			throw new \RuntimeException('not all values are in the shared memory: ' . json_encode($other->stats()));
		}
		return $loop;
	};
}

/** @return array<string, callable> operation => what prepares the loop; those that do not say so are out of the object */
function near_operations(): array
{
	return [
		'get, string of 1,000 bytes' => getting(text(), near: 60)['mcpatterns'],
		'get, near, out of the host' => found_in_the_host(getting_shared(text())),
		'get, array of 10 rows' => getting(rows(), near: 60)['mcpatterns'],
		'remember, fresh string of 1,000 bytes' => remembering(text(), near: 60)['mcpatterns'],
		'getMultiple, 10 strings of 1,000 bytes' => getting_many(10, near: 60)['mcpatterns'],
		'getMultiple, 100 strings of 1,000 bytes' => getting_many(100, near: 60)['mcpatterns'],
		'getMultiple, 100 strings, near, out of the host' => found_in_the_host(getting_many_shared(100)),
	];
}

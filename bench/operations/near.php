<?php
/* The operations that a Cache with `near` answers out of this host's memory. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool};

/** Keys in turn, each of which another object finds in the memory that the host's processes share, or this throws. */
function near_in_turn(mixed $value): callable
{
	return function (Pool $pool) use ($value): callable {
		$loop = getting_shared($value)['mcpatterns']($pool);
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

/** @return array<string, callable> operation => what prepares the loop; all but the second out of the object */
function near_operations(): array
{
	return [
		'get, string of 1,000 bytes' => getting(text(), near: 60)['mcpatterns'],
		'get, near, out of the host' => near_in_turn(text()),
		'get, array of 10 rows' => getting(rows(), near: 60)['mcpatterns'],
		'remember, fresh string of 1,000 bytes' => remembering(text(), near: 60)['mcpatterns'],
		'getMultiple, 10 strings of 1,000 bytes' => getting_many(10, near: 60)['mcpatterns'],
		'getMultiple, 100 strings of 1,000 bytes' => getting_many(100, near: 60)['mcpatterns'],
	];
}

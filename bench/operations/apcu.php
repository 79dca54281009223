<?php
/* The operations of operations.php that APCu has too, within one host. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

function apcu_getting(mixed $value): callable
{
	return function () use ($value): callable {
		\apcu_store('apcu', $value);
		return function (int $calls): void {
			for ($call = 0; $call < $calls; $call++) {
				\apcu_fetch('apcu');
			}
		};
	};
}

function apcu_in_turn(mixed $value): callable
{
	return function () use ($value): callable {
		$keys = shared_keys('apcu');
		\apcu_store(array_fill_keys($keys, $value));
		$next = 0;
		return function (int $calls) use ($keys, &$next): void {
			$at = $next;
			for ($call = 0; $call < $calls; $call++) {
				\apcu_fetch($keys[$at]);
				if ($at === 299) {
					$at = 0;
				} else {
					$at = $at + 1;
				}
			}
			$next = $at;
		};
	};
}

function apcu_remembering(mixed $value): callable
{
	return function () use ($value): callable {
		$compute = fn (): mixed => $value;
		return function (int $calls) use ($compute): void {
			for ($call = 0; $call < $calls; $call++) {
				\apcu_entry('apcu', $compute, 3600);
			}
		};
	};
}

function apcu_setting(mixed $value): callable
{
	return fn (): callable => function (int $calls) use ($value): void {
		for ($call = 0; $call < $calls; $call++) {
			\apcu_store('apcu', $value, 3600);
		}
	};
}

function apcu_getting_many(int $count): callable
{
	return function () use ($count): callable {
		$keys = array_map(fn (int $number): string => "apcu-$number", range(1, $count));
		\apcu_store(array_fill_keys($keys, text()));
		return function (int $calls) use ($keys): void {
			for ($call = 0; $call < $calls; $call++) {
				\apcu_fetch($keys);
			}
		};
	};
}

function apcu_getting_many_in_turn(int $count): callable
{
	return function () use ($count): callable {
		$keys = shared_keys('apcu');
		\apcu_store(array_fill_keys($keys, text()));
		$lists = array_chunk($keys, $count);
		$next = 0;
		return function (int $calls) use ($lists, &$next): void {
			for ($call = 0; $call < $calls; $call++) {
				\apcu_fetch($lists[$next]);
				$next = ($next + 1) % count($lists);
			}
		};
	};
}

function apcu_counting(): callable
{
	return function (): callable {
		\apcu_store('apcu-counter', 0);
		return function (int $calls): void {
			for ($call = 0; $call < $calls; $call++) {
				\apcu_inc('apcu-counter');
			}
		};
	};
}

function apcu_locking(): callable
{
	return fn (): callable => function (int $calls): void {
		for ($call = 0; $call < $calls; $call++) {
			\apcu_add('apcu-lock', 'me', 11);
			\apcu_delete('apcu-lock');
		}
	};
}

/** @return array<string, callable> operation => what prepares the loop */
function apcu_operations(): array
{
	return [
		'get, string of 1,000 bytes' => apcu_getting(text()),
		'get, near, out of the host' => apcu_in_turn(text()),
		'get, array of 10 rows' => apcu_getting(rows()),
		'remember, fresh string of 1,000 bytes' => apcu_remembering(text()),
		'set, string of 1,000 bytes' => apcu_setting(text()),
		'getMultiple, 10 strings of 1,000 bytes' => apcu_getting_many(10),
		'getMultiple, 100 strings of 1,000 bytes' => apcu_getting_many(100),
		'getMultiple, 100 strings, near, out of the host' => apcu_getting_many_in_turn(100),
		'Counter::increment' => apcu_counting(),
		'Lock::acquire, release' => apcu_locking(),
	];
}

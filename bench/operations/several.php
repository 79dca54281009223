<?php
/* Operations over two servers, which both clients place alike, by the ring with MD5; the second server listens beside the
 * first one, where the benchmark has started it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool};

function second(string $socket): string
{
	return "$socket-second";
}

function pool_of_two(Pool $pool, mixed ...$options): Pool
{
	$socket = substr($pool->servers()[0]['host'], strlen('unix://'));
	return pool([$socket, second($socket)], null, ...$options);
}

function memcached_of_two(\Memcached $memcached): \Memcached
{
	$socket = $memcached->getServerList()[0]['host'];
	$memcached->resetServerList();
	$memcached->setOption(\Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
	$memcached->addServers([[$socket, 0], [second($socket), 0]]);
	return $memcached;
}

/** @return array<string, callable> an operation of one server, over two */
function over_two(array $clients, mixed ...$options): array
{
	return [
		'mcpatterns' => fn (Pool $pool): callable => $clients['mcpatterns'](pool_of_two($pool, ...$options)),
		'memcached' => fn (\Memcached $memcached): callable => $clients['memcached'](memcached_of_two($memcached)),
	];
}

/** @return array<string, callable> many keys are stored; php-memcached sends them one after the other */
function setting_many(int $count): array
{
	$values = fn (string $client): array => array_fill_keys(
		array_map(fn (int $number): string => "$client-$number", range(1, $count)),
		text(),
	);
	return [
		'mcpatterns' => function (Pool $pool) use ($values): callable {
			$cache = new Cache($pool);
			$given = $values('mcp');
			return function (int $calls) use ($cache, $given): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->setMultiple($given);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($values): callable {
			$given = $values('mem');
			return function (int $calls) use ($memcached, $given): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->setMulti($given, 3600);
				}
			};
		},
	];
}

/** @return array<string, array<string, callable>> operation => client => what prepares the loop */
function several_operations(): array
{
	return [
		'get, over two servers' => over_two(getting(text())),
		'get, over two servers, failover' => over_two(getting(text()), failover: true),
		'set, over two servers' => over_two(setting(text())),
		'getMultiple, 100 strings over two servers' => over_two(getting_many(100)),
		'setMultiple, 100 strings over two servers' => over_two(setting_many(100)),
		'Counter::increment over two servers' => over_two(counting()),
	];
}

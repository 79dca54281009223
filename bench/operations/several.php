<?php
/* Operations over two and four servers, which both clients place alike, by the ring with MD5. The other servers listen next
 * to the first one, where the benchmark has started them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool};

/** @return list<string> the first server and those next to it */
function sockets(string $socket, int $count): array
{
	return [$socket, ...array_map(fn (int $number): string => "$socket-$number", range(2, $count))];
}

function pool_of(int $count, Pool $pool, mixed ...$options): Pool
{
	return pool(sockets(substr($pool->servers()[0]['host'], strlen('unix://')), $count), null, ...$options);
}

function memcached_of(int $count, \Memcached $memcached): \Memcached
{
	$sockets = sockets($memcached->getServerList()[0]['host'], $count);
	$memcached->resetServerList();
	$memcached->setOption(\Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
	$memcached->addServers(array_map(fn (string $socket): array => [$socket, 0], $sockets));
	return $memcached;
}

/** @return array<string, callable> an operation of one server, over several */
function over(int $count, array $clients, mixed ...$options): array
{
	return [
		'mcpatterns' => fn (Pool $pool): callable => $clients['mcpatterns'](pool_of($count, $pool, ...$options)),
		'memcached' => fn (\Memcached $memcached): callable => $clients['memcached'](memcached_of($count, $memcached)),
	];
}

/** @return array<string, callable> many keys in turn: each call has to find another key's server */
function getting_in_turn(int $count): array
{
	$walk = fn (object $client, array $keys): callable => function (int $calls) use ($client, $keys): void {
		static $at = 0;
		$count = count($keys);
		for ($call = 0; $call < $calls; $call++) {
			$client->get($keys[$at]);
			$at = $at + 1 < $count ? $at + 1 : 0;
		}
	};
	$values = array_fill_keys(array_map(fn (int $number): string => "turn-$number", range(1, $count)), text());
	return [
		'mcpatterns' => function (Pool $pool) use ($values, $walk): callable {
			$cache = new Cache($pool, prefix: 'mcp-');
			$cache->setMultiple($values);
			return $walk($cache, array_keys($values));
		},
		'memcached' => function (\Memcached $memcached) use ($values, $walk): callable {
			$memcached->setMulti($values, 3600);
			return $walk($memcached, array_keys($values));
		},
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
		'get, over two servers' => over(2, getting(text())),
		'get, 1,000 keys in turn over four servers' => over(4, getting_in_turn(1000)),
		'get, over two servers, failover' => over(2, getting(text()), failover: true),
		'set, over two servers' => over(2, setting(text())),
		'getMultiple, 100 strings over two servers' => over(2, getting_many(100)),
		'setMultiple, 100 strings over two servers' => over(2, setting_many(100)),
		'Counter::increment over two servers' => over(2, counting()),
	];
}

<?php
/* The same servers for both clients, placed alike. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\{Distribution, Pool, Transport};

/** @param list<array{string, int, int}> $servers host (or a socket's path, with port 0), port, weight */
function pool(array $servers, Distribution $distribution = Distribution::Ketama, Transport $transport = Transport::Libmemcached): Pool
{
	return new Pool(array_map(
		fn (array $server): string => $server[1] === 0 ? "unix://$server[0]:$server[2]" : implode(':', $server),
		$servers,
	), distribution: $distribution, transport: $transport);
}

/** @param list<array{string, int, int}> $servers */
function php_memcached(array $servers, Distribution $distribution = Distribution::Ketama): \Memcached
{
	$memcached = new \Memcached();
	if ($distribution === Distribution::Ketama) {
		$memcached->setOption(\Memcached::OPT_LIBKETAMA_COMPATIBLE, true);
	} elseif ($distribution === Distribution::Modulo) {
		$memcached->setOption(\Memcached::OPT_HASH, \Memcached::HASH_CRC);
		$memcached->setOption(\Memcached::OPT_DISTRIBUTION, \Memcached::DISTRIBUTION_MODULA);
	}
	$memcached->addServers($servers);
	return $memcached;
}

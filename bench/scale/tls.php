<?php
/* A get of 1,000 bytes and a new connection over TLS beside plain TCP, of one memcached each: tls.php ROUNDS. In one run, and
 * in turns, so that a busy machine is as slow for both. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool, Transport};

require __DIR__ . '/../../tests/_support/memcached.inc';

const CALLS = 200; // of which the best counts, as what else runs here makes none faster, and the one in the middle

/** @return array{Cache, Pool} */
function connect(\PrivateMemcached $server, ?\TestCertificates $certificates): array
{
	$pool = new Pool($server->address, connectTimeout: 5, timeout: 5, transport: Transport::Direct, tls: $certificates?->client_options());
	$cache = new Cache($pool);
	$cache->set('key', str_repeat('x', 1000));
	return [$cache, $pool];
}

function median(array $values): float
{
	sort($values);
	return $values[intdiv(count($values), 2)];
}

$rounds = (int) ($argv[1] ?? 200);
$certificates = new \TestCertificates();
$servers = ['plain' => start_memcached(['tcp' => true]), 'tls' => start_memcached(['tls' => $certificates])];
$clients = ['plain' => connect($servers['plain'], null), 'tls' => connect($servers['tls'], $certificates)];
$times = [];
for ($round = 0; $round < $rounds; $round++) {
	foreach ($clients as $name => [$cache, $pool]) {
		$took = [];
		for ($call = 0; $call < CALLS; $call++) {
			$begin = hrtime(true);
			$cache->get('key');
			$took[] = (hrtime(true) - $begin) / 1000;
		}
		$times['get, the best of ' . CALLS][$name][] = min($took);
		$times['get, the median of ' . CALLS][$name][] = median($took);
		if ($round % 10 === 0) {
			$pool->close();
			$begin = hrtime(true);
			$cache->get('key');
			$times['a connection, and a get'][$name][] = (hrtime(true) - $begin) / 1000;
		}
	}
}
foreach ($times as $what => $of) {
	$ratios = array_map(fn (float $tls, float $plain): float => $tls / $plain, $of['tls'], $of['plain']);
	printf("%-26s plain %8.1f us   tls %8.1f us   ratio %.2f (median of %d rounds' ratios)\n", $what, median($of['plain']), median($of['tls']), median($ratios), count($ratios));
}

<?php
/* Share of a second walk over many values that 16 MB of this host's memory answer, by the near cache and by APCu:
 * capacity.php SOCKET near|apcu VALUES BYTES. Prints the share and the bytes of the values. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Pool, Transport};

[, $socket, $client, $count, $length] = $argv;
$keys = array_map(fn (int $number): string => "$client-$length-$number", range(1, (int) $count));
$value = str_repeat('x', (int) $length);
if ($client === 'apcu') {
	array_map(fn (string $key): bool => \apcu_store($key, $value), $keys);
	$found = count(array_filter($keys, \apcu_exists(...)));
} else {
	$pool = new Pool("unix://$socket", timeout: 30, transport: Transport::Direct);
	foreach (array_chunk($keys, 100) as $some) {
		(new Cache($pool))->setMultiple(array_fill_keys($some, $value), ttl: 3600);
	}
	foreach (array_chunk($keys, 100) as $some) {
		(new Cache($pool, near: 60))->getMultiple($some);
	}
	$found = 0;
	foreach (array_chunk($keys, 100) as $some) { // an object keeps no more than some of them itself
		$cache = new Cache($pool, near: 60);
		array_map($cache->get(...), $some);
		$found += $cache->stats()['near'];
	}
}
printf("%.1f %d\n", 100 * $found / count($keys), $count * $length);

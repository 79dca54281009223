<?php
/* Runs before every request, and notes when it is over how long it has waited: for memcached, the database, another request. The time in
 * which it could have run, and other programs did, is none of it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

(function (): void {
	/** @return float seconds for which this process has stood in the queue for a processor, from proc(5) */
	$queued = fn (): float => (int) (explode(' ', (string) @file_get_contents('/proc/self/schedstat'))[1] ?? 0) / 1e9;
	[$begun, $before] = [hrtime(true), $queued()];
	register_shutdown_function(function () use ($begun, $before, $queued): void {
		$waited = (hrtime(true) - $begun) / 1e9 - ($queued() - $before);
		file_put_contents((string) getenv('SITE_WAITED'), sprintf("%s\t%.3f\n", $_SERVER['REQUEST_URI'], $waited), FILE_APPEND | LOCK_EX);
	});
})();

<?php
/* Measures what connections hold: memory.php FOLDER. In the worker: the private memory that connections to so
 * many servers add. In memcached: what so many connections add. The kernel's own is in neither. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\Cache;

require __DIR__ . '/clients.php';
require __DIR__ . '/servers.php';

/** Kilobytes of a line of a process's smaps_rollup. */
function kilobytes(int|string $pid, string $line): int
{
	preg_match("/^$line: +(\\d+) kB/m", file_get_contents("/proc/$pid/smaps_rollup"), $found);
	return (int) $found[1];
}

function private_kilobytes(int|string $pid): int
{
	return kilobytes($pid, 'Private_Dirty') + kilobytes($pid, 'Private_Clean');
}

/** What a forked process's memory grows by, in kilobytes. */
function growth(callable $use): int
{
	[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
	if (pcntl_fork() === 0) {
		$before = private_kilobytes('self');
		$kept = $use();
		fwrite($theirs, private_kilobytes('self') - $before . "\n");
		posix_kill(getmypid(), 9);
	}
	pcntl_wait($status);
	return (int) fgets($ours);
}

[, $folder] = $argv;
// One memcached with a hundred addresses: to a client, a hundred servers.
$addresses = array_map(fn (int $i): string => "127.0.0.$i", range(1, 100));
$port = 20000 + getmypid() % 20000;
$many = new Server(['-l', implode(',', $addresses), '-p', (string) $port, '-c', '4096', '-t', '1'], "tcp://127.0.0.1:$port");
$servers = array_map(fn (string $address): array => [$address, $port, 1], $addresses);
$keys = array_map(fn (int $i): string => "key:$i", range(1, 5000));

$use = function (int $count) use ($servers, $keys): Cache {
	$cache = new Cache(pool(array_slice($servers, 0, $count)));
	foreach ($keys as $key) {
		$cache->get($key);
	}
	return $cache;
};
echo "a worker's private memory that the use of so many servers adds\n";
$sizes = [];
foreach ([1, 10, 100] as $count) {
	$sizes[$count] = growth(fn (): Cache => $use($count));
	printf("  %3d servers %6d kB\n", $count, $sizes[$count]);
}
printf("  for each further one of a hundred: %.1f kB\n", ($sizes[100] - $sizes[1]) / 99);

echo "memcached's own memory for connections that were used once\n";
$one = new Server(['-s', "$folder/one", '-c', '4096', '-t', '4'], "unix://$folder/one");
$before = private_kilobytes($one->pid);
$open = [];
// Less than the 1,024 files that a process can usually open.
foreach ([250, 750] as $count) {
	while (count($open) < $count) {
		$open[] = $one->connect();
	}
	$grown = private_kilobytes($one->pid) - $before;
	printf("  %d connections: %d kB, %.2f kB each\n", $count, $grown, $grown / $count);
}
$one->stop();
$many->stop();

<?php
/* One round with processes of its own: round.php SOCKET cold READERS NAME, or SOCKET lock WAITERS NAME. Prints a list of
 * milliseconds: the last reader's after the callback has returned, or each holder's after the one before began to give back. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Waits;

use McPatterns\{Cache, Lock, Pool};

const COMPUTE_US = 200_000;
const HOLD_US = 20_000;
const HOLDS = 5;
/* The end of a process takes longer than to be woken: nobody ends while another is to go on. */
const AFTERWARDS_US = 500_000;

/** Lets as many children do the same work, and returns what each has noted. */
function do_together(int $count, callable $work): array
{
	$folder = sys_get_temp_dir() . '/waking.' . getmypid();
	mkdir($folder);
	$start = hrtime(true) + 100_000_000;
	for ($i = 0; $i < $count; $i++) {
		if (pcntl_fork() === 0) {
			while (hrtime(true) < $start) {
				usleep(500);
			}
			$note = $work();
			usleep(AFTERWARDS_US);
			file_put_contents("$folder/$i", json_encode($note));
			exit;
		}
	}
	while (pcntl_wait($status) > 0) {
	}
	$notes = [];
	foreach (glob("$folder/*") as $file) {
		$notes[] = json_decode(file_get_contents($file), true);
		unlink($file);
	}
	rmdir($folder);
	return $notes;
}

function read_cold(string $socket, int $readers, string $name): array
{
	$notes = do_together($readers, function () use ($socket, $name): array {
		$stored = null;
		(new Cache(new Pool("unix://$socket"), ttl: 100, lease: 30, wait: 30.0))->remember("cold.$name", 100, function () use (&$stored): string {
			usleep(COMPUTE_US);
			$stored = hrtime(true);
			return str_repeat('0123456789', 100);
		});
		return ['stored' => $stored, 'answered' => hrtime(true)];
	});
	$stored = array_filter(array_column($notes, 'stored'));
	return count($notes) === $readers && count($stored) === 1 ? [(max(array_column($notes, 'answered')) - reset($stored)) / 1e6] : [];
}

function hand_over(string $socket, int $waiters, string $name): array
{
	$notes = array_merge(...do_together($waiters + 1, function () use ($socket, $name): array {
		$lock = new Lock(new Pool("unix://$socket"), "lock.$name", ttl: 30);
		$holds = [];
		for ($i = 0; $i < HOLDS; $i++) {
			$lock->acquire(120.0);
			$acquired = hrtime(true);
			usleep(HOLD_US);
			$holds[] = [$acquired, hrtime(true)];
			$lock->release();
			usleep(HOLD_US);
		}
		return $holds;
	}));
	sort($notes);
	$figures = [];
	for ($i = 1; $i < count($notes) && count($notes) === ($waiters + 1) * HOLDS; $i++) {
		$figures[] = ($notes[$i][0] - $notes[$i - 1][1]) / 1e6;
	}
	return $figures;
}

[, $socket, $scene, $count, $name] = $argv;
$name .= '.' . getmypid();
echo json_encode($scene === 'cold' ? read_cold($socket, (int) $count, $name) : hand_over($socket, (int) $count, $name));

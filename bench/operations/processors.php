<?php
/* Where memcached and its clients run while they are timed. The three ways are three prices of a round trip, and a mixture of
 * them tells nothing: none wakes up another processor, each wakes up another one, or the system decides. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

/** Moves processes between the processors that this one may use; there must be two of them for all states but `one`. */
final class Processors
{
	public const STATES = [
		'one' => 'all on one processor',
		'own' => 'client and memcached each on its own',
		'free' => 'as the system places them',
	];
	/** @var list<int> */
	private readonly array $allowed;

	/** @param list<int> $servers process numbers; the memcacheds share a processor, as only one client asks at a time */
	public function __construct(private readonly array $servers)
	{
		$this->allowed = self::allowed();
	}

	/** @param list<int> $clients process numbers */
	public function place(string $state, array $clients): void
	{
		[$of_servers, $of_clients] = match ($state) {
			'one' => [[$this->allowed[0]], [$this->allowed[0]]],
			'own' => [[$this->allowed[0]], [$this->allowed[1]]],
			'free' => [$this->allowed, $this->allowed],
		};
		$this->move($this->servers, $of_servers);
		$this->move($clients, $of_clients);
	}

	/** @return list<int> */
	private static function allowed(): array
	{
		preg_match('/^Cpus_allowed_list:\s*(\S+)/m', file_get_contents('/proc/self/status'), $found);
		$allowed = [];
		foreach (explode(',', $found[1]) as $range) {
			$ends = explode('-', $range);
			array_push($allowed, ...range((int) $ends[0], (int) end($ends)));
		}
		return $allowed;
	}

	/** All of their threads. */
	private function move(array $pids, array $processors): void
	{
		foreach ($pids as $pid) {
			exec('taskset -acp ' . implode(',', $processors) . " $pid 2>&1", $output, $status);
			if ($status !== 0) {
				throw new \RuntimeException(implode("\n", $output));
			}
		}
	}
}

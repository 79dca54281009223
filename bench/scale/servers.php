<?php
/* Private memcacheds for the benchmarks of many servers: they die with the process that started them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

final class Server
{
	public readonly int $pid;
	/** @var resource */
	private $process;

	/** @param list<string> $arguments of memcached; $target is where it listens then, as PHP's streams name it */
	public function __construct(array $arguments, private readonly string $target)
	{
		$user = posix_getpwuid(posix_geteuid())['name'];
		$command = ['setpriv', '--pdeathsig', 'KILL', 'memcached', '-u', $user, '-U', '0', '-m', '64', ...$arguments];
		$this->process = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
		$this->pid = proc_get_status($this->process)['pid'];
		for ($try = 0; @stream_socket_client($target) === false; $try++) {
			if ($try === 200) {
				throw new \RuntimeException("memcached does not answer at $target");
			}
			usleep(10_000);
		}
	}

	/** @return resource a connection that has been used once */
	public function connect()
	{
		$socket = stream_socket_client($this->target) ?: throw new \RuntimeException("cannot connect to {$this->target}");
		fwrite($socket, "get nothing\r\n");
		fgets($socket);
		return $socket;
	}

	public function stop(): void
	{
		proc_terminate($this->process, 9);
		proc_close($this->process);
	}
}

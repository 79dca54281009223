<?php
/* One of the live demo's web servers: PHP's own, with several workers, on a loopback port. Its processes are a group of their
 * own, which ends with this process, however that ends. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Live;

final class Server
{
	public readonly string $address;
	/** @var resource */
	private $process;

	/**
	 * @param list<string> $php PHP's binary and its options
	 * @param array<string, string> $environment
	 */
	public function __construct(array $php, int $port, int $workers, array $environment, private readonly string $log)
	{
		$this->address = '127.0.0.1:' . ($port ?: self::free_port());
		// The workers are the server's children, which the kernel would leave running: so the shell kills its whole group.
		$shell = ['setpriv', '--pdeathsig', 'TERM', 'setsid', 'bash', '-c', 'trap "kill -KILL 0" TERM INT HUP; "$@" & wait $!', 'server'];
		$process = proc_open([...$shell, ...$php, '-S', $this->address, __DIR__ . '/site.php'],
			[['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', $log, 'a']], $pipes, null,
			[...getenv(), ...$environment, 'PHP_CLI_SERVER_WORKERS' => (string) $workers]);
		$this->process = $process ?: throw new \RuntimeException("cannot start PHP's web server");
	}

	public function await(float $seconds = 10.0): void
	{
		$deadline = microtime(true) + $seconds;
		while (!($socket = @stream_socket_client("tcp://$this->address", $code, $message, 1.0))) {
			if (!proc_get_status($this->process)['running'] || microtime(true) > $deadline) {
				throw new \RuntimeException("PHP's web server does not answer at $this->address: " . trim((string) @file_get_contents($this->log)));
			}
			usleep(20_000);
		}
		fclose($socket);
	}

	public function stop(): void
	{
		if (is_resource($this->process)) {
			proc_terminate($this->process);
			proc_close($this->process);
		}
	}

	private static function free_port(): int
	{
		$socket = stream_socket_server('tcp://127.0.0.1:0');
		$name = (string) stream_socket_get_name($socket, false);
		fclose($socket);
		return (int) substr((string) strrchr($name, ':'), 1);
	}
}

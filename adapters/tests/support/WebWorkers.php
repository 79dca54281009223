<?php
/* An application behind several of PHP's own web servers, each on a free loopback port and one request at a time, as the workers
 * of php-fpm; and a load on all of them at once. Gone when the test is. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

final class WebWorkers
{
	/** Connections to each worker: one is served while the other waits. */
	private const QUEUE = 2;

	/** @var list<array{resource, string}> process and address */
	private array $workers = [];
	private readonly string $log;

	/**
	 * @param array<string, string> $environment
	 * @param array<string, string> $settings of php
	 */
	public function __construct(int $count, private readonly string $public, private readonly array $environment = [], private readonly array $settings = [])
	{
		$this->log = (string) tempnam(sys_get_temp_dir(), 'web');
		register_shutdown_function($this->dispose(...));
		while (count($this->workers) < $count) {
			$this->start();
		}
	}

	/** The body of an answer of the first worker. */
	public function get(string $path): string
	{
		return $this->receive($this->ask($this->workers[0][1], $path));
	}

	/**
	 * That of its answer to a form.
	 *
	 * @param array<string, string> $fields
	 */
	public function post(string $path, array $fields): string
	{
		$form = http_build_query($fields);
		$head = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " . strlen($form) . "\r\n";
		return $this->receive($this->ask($this->workers[0][1], $path, 'POST', $head, $form));
	}

	/**
	 * All workers asked for the path, and again whenever one has answered, for so many seconds.
	 *
	 * @return list<string> the bodies; an answer other than 200 is an exception
	 */
	public function stampede(string $path, float $seconds): array
	{
		$open = $bodies = [];
		$end = microtime(true) + $seconds;
		foreach ($this->workers as [, $address]) {
			for ($place = 0; $place < self::QUEUE; $place++) {
				$open[] = [$this->ask($address, $path), $address, ''];
			}
		}
		while ($open !== []) {
			$read = array_column($open, 0);
			$write = $except = null;
			if (!stream_select($read, $write, $except, 30)) {
				throw new \RuntimeException('no worker answers: ' . $this->log());
			}
			foreach ($open as $number => [$socket, $address]) {
				if (!in_array($socket, $read, true)) {
					continue;
				}
				$open[$number][2] .= $piece = (string) fread($socket, 65536);
				if ($piece === '' && feof($socket)) {
					$bodies[] = $this->body($open[$number][2]);
					fclose($socket);
					unset($open[$number]);
					if (microtime(true) < $end) {
						$open[] = [$this->ask($address, $path), $address, ''];
					}
				}
			}
		}
		return $bodies;
	}

	public function log(): string
	{
		return (string) @file_get_contents($this->log);
	}

	public function dispose(): void
	{
		foreach ($this->workers as [$process]) {
			send_signal(proc_get_status($process)['pid'], SIGNAL_KILL);
			proc_close($process);
		}
		$this->workers = [];
		@unlink($this->log);
	}

	/** Between finding a free port and taking it somebody else may: then the next one. */
	private function start(): void
	{
		for ($try = 1; $try <= 5; $try++) {
			$address = '127.0.0.1:' . find_free_port();
			$settings = ['extension' => (string) getenv('TEST_PHP_EXTENSION'), 'display_errors' => '1', 'error_reporting' => '-1'] + $this->settings;
			$process = start_process(['env', ...array_map(fn (string $name, string $value) => "$name=$value", array_keys($this->environment), $this->environment),
				PHP_BINARY, ...array_merge(...array_map(fn (string $name, string $value) => ['-d', "$name=$value"], array_keys($settings), $settings)),
				'-S', $address, '-t', $this->public, "$this->public/index.php"], $this->log);
			if ($this->isServing($process, $address)) {
				$this->workers[] = [$process, $address];
				return;
			}
			proc_close($process);
		}
		throw new \RuntimeException('cannot start a web server: ' . $this->log());
	}

	/** @param resource $process */
	private function isServing($process, string $address): bool
	{
		$deadline = microtime(true) + 20;
		while (proc_get_status($process)['running'] && microtime(true) < $deadline) {
			$socket = @stream_socket_client("tcp://$address", $code, $message, 1.0);
			if ($socket !== false) {
				fclose($socket);
				return proc_get_status($process)['running'];
			}
			usleep(5000);
		}
		return false;
	}

	/** @param resource $socket */
	private function receive($socket): string
	{
		stream_set_timeout($socket, 120);
		$answer = (string) stream_get_contents($socket);
		fclose($socket);
		return $this->body($answer);
	}

	/** @return resource */
	private function ask(string $address, string $path, string $method = 'GET', string $head = '', string $form = '')
	{
		$socket = stream_socket_client("tcp://$address", $code, $message, 10.0);
		if ($socket === false) {
			throw new \RuntimeException("cannot reach $address: $message");
		}
		fwrite($socket, "$method $path HTTP/1.0\r\nHost: localhost\r\n$head\r\n$form");
		return $socket;
	}

	private function body(string $answer): string
	{
		if (!preg_match('~^HTTP/1\.\d 200 .*?\r\n\r\n(.*)$~s', $answer, $parts)) {
			throw new \RuntimeException('not what was asked for: ' . substr($answer, 0, 4000) . $this->log());
		}
		return $parts[1];
	}
}

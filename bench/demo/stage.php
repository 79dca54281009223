<?php
/* Runs a scene with a contender: forks the readers, lets them begin at one moment, watches, and waits
 * for every one of them. Whatever goes wrong, no reader is left behind. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Stage
{
	/** Readers still at it this long after the end of a scene hang. */
	private const PATIENCE_SECONDS = 30;
	/** The warm value is stored this long before the readers begin. */
	private const WARM_NS = 20_000_000;

	/** @var array<int, int> pid => slot */
	private array $running = [];
	private int $scenes_played = 0;

	public function __construct(
		private readonly Options $options,
		private readonly Display $display,
		private readonly string $folder,
	) {
		pcntl_async_signals(true);
		foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
			pcntl_signal($signal, function (int $signal): never {
				$this->clear();
				exit(128 + $signal);
			});
		}
	}

	public function play(Contender $contender, Scene $scene): Samples
	{
		$board = new Board($this->options->workers);
		$key = "demo-{$scene->name}-" . ++$this->scenes_played;
		$start_ns = hrtime(true) + 200_000_000 + 5_000_000 * $this->options->workers;
		$end_ns = $start_ns + (int) ($scene->seconds * 1e9);
		$files = [];
		try {
			for ($slot = 0; $slot < $this->options->workers; $slot++) {
				$files[$slot] = "{$this->folder}/samples-{$this->scenes_played}-$slot";
				$worker = new Worker($contender, $this->options, $board, $slot);
				$this->fork(fn () => $worker->run($key, $start_ns, $end_ns, $files[$slot]), $slot);
			}
			if ($scene->is_warm) {
				$this->fork(fn () => $this->warm($contender, $key, $start_ns - self::WARM_NS), -1);
			}
			$this->watch($contender, $scene, $board, $start_ns);
		} finally {
			$this->clear();
		}
		$samples = new Samples($scene, $this->options, $start_ns, $files);
		array_map(unlink(...), $files);
		return $samples;
	}

	private function warm(Contender $contender, string $key, int $moment_ns): void
	{
		$contender->connect($this->options->socket, $this->options->ttl);
		Worker::sleep_until($moment_ns);
		$contender->store($key, Worker::value(hrtime(true)));
	}

	private function fork(callable $work, int $slot): void
	{
		$pid = pcntl_fork();
		if ($pid < 0) {
			throw new \RuntimeException('could not fork: ' . pcntl_strerror(pcntl_get_last_error()));
		}
		if ($pid > 0) {
			$this->running[$pid] = $slot;
			return;
		}
		$this->running = [];
		foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
			pcntl_signal($signal, SIG_DFL);
		}
		try {
			$work();
			exit(0);
		} catch (\Throwable $failure) {
			fwrite(STDERR, "\nbin/demo: reader $slot: {$failure->getMessage()}\n");
			exit(1);
		}
	}

	private function watch(Contender $contender, Scene $scene, Board $board, int $start_ns): void
	{
		$this->display->begin($contender, $scene);
		while ($this->running) {
			usleep((int) (1e6 * $this->display->interval()));
			$elapsed = (hrtime(true) - $start_ns) / 1e9;
			if ($elapsed > $scene->seconds + self::PATIENCE_SECONDS) {
				throw new \RuntimeException(count($this->running) . ' readers hang, see ' . $contender->title());
			}
			if ($elapsed >= 0) {
				$this->display->show($contender, $scene, $board->sum(), $elapsed);
			}
			$this->reap();
		}
		$this->display->finish($contender, $scene, $board->sum());
	}

	private function reap(): void
	{
		while (($pid = pcntl_wait($status, WNOHANG)) > 0) {
			unset($this->running[$pid]);
			if (pcntl_wifsignaled($status)) {
				throw new \RuntimeException("reader $pid was killed by signal " . pcntl_wtermsig($status));
			}
			if (pcntl_wexitstatus($status) !== 0) {
				throw new \RuntimeException("reader $pid failed");
			}
		}
	}

	private function clear(): void
	{
		foreach (array_keys($this->running) as $pid) {
			posix_kill($pid, SIGKILL);
			pcntl_waitpid($pid, $status);
		}
		$this->running = [];
	}
}

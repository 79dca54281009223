<?php
/* The demo's parameters: what may be asked for, the defaults, and what makes no sense. Everything that
 * is wrong is said in one sentence that names the option. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class UsageError extends \InvalidArgumentException
{
}

final class Options
{
	public int $workers = 32;
	public int $seconds = 10;
	public int $ttl = 2;
	public int $rebuild_ms = 200;
	public string $out = 'demo-out';
	public string $socket = '';
	/** @var list<string> */
	public array $contenders = ['naive', 'article', 'mcpatterns', 'mcpatterns_waiting'];
	public bool $chose_contenders = false;
	public bool $is_check = false;
	/** A second for each contender: shows that everything works, and no expiry. */
	public bool $is_glance = false;

	/** A page does something between two reads; this keeps 32 processes on two cores from queueing. */
	public const PAUSE_US = [200, 1000];

	public static function parse(array $arguments): self
	{
		$options = new self();
		while ($arguments) {
			$name = array_shift($arguments);
			if (str_starts_with($name, '--') && str_contains($name, '=')) {
				[$name, $value] = explode('=', $name, 2);
				array_unshift($arguments, $value);
			}
			$options->take($name, $arguments);
		}
		$options->validate();
		return $options;
	}

	private function take(string $name, array &$arguments): void
	{
		match ($name) {
			'--workers' => $this->workers = self::number($name, $arguments),
			'--seconds' => $this->seconds = self::number($name, $arguments),
			'--ttl' => $this->ttl = self::number($name, $arguments),
			'--rebuild' => $this->rebuild_ms = self::number($name, $arguments),
			'--out' => $this->out = self::text($name, $arguments),
			'--socket' => $this->socket = self::text($name, $arguments),
			'--contenders' => $this->choose_contenders(self::text($name, $arguments)),
			'--quick' => $this->seconds = 5,
			'--glance' => $this->glance(),
			'--check' => $this->is_check = true,
			default => throw new UsageError("unknown option \"$name\""),
		};
	}

	private function choose_contenders(string $names): void
	{
		$this->contenders = explode(',', $names);
		$this->chose_contenders = true;
	}

	private function glance(): void
	{
		$this->is_glance = true;
		[$this->workers, $this->seconds, $this->rebuild_ms] = [4, 1, 20];
	}

	private static function text(string $name, array &$arguments): string
	{
		$value = array_shift($arguments);
		if ($value === null || $value === '') {
			throw new UsageError("$name needs a value");
		}
		return $value;
	}

	private static function number(string $name, array &$arguments): int
	{
		$text = self::text($name, $arguments);
		$number = filter_var($text, FILTER_VALIDATE_INT);
		if ($number === false) {
			throw new UsageError("$name must be a whole number, \"$text\" is not");
		}
		return $number;
	}

	private function validate(): void
	{
		self::between('--workers', $this->workers, 2, 512);
		self::between('--seconds', $this->seconds, 1, 600);
		// memcached counts whole seconds: a TTL of 1 may be over after a hundredth of one.
		self::between('--ttl', $this->ttl, 2, 60);
		self::between('--rebuild', $this->rebuild_ms, 20, 10000);
		if ($this->seconds < $this->ttl + 2 && !$this->is_glance) {
			throw new UsageError('--seconds must be at least two more than --ttl, or nothing expires');
		}
		if ($this->rebuild_ms > 1000 * $this->ttl / 2) {
			throw new UsageError('--rebuild must be at most half of --ttl (milliseconds and seconds)');
		}
	}

	private static function between(string $name, int $value, int $least, int $most): void
	{
		if ($value < $least || $value > $most) {
			throw new UsageError("$name must be from $least to $most, not $value");
		}
	}
}

<?php
/* The live demo's parameters. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Live;

final class UsageError extends \InvalidArgumentException
{
}

final class Options
{
	public int $seconds = 600;
	public int $workers = 8;
	public int $ttl = 5;
	public int $rebuild = 1000;
	/** 0: one that is free. */
	public int $port = 0;
	public string $socket = '';
	public bool $is_check = false;

	private const BETWEEN = ['seconds' => [2, 86400], 'workers' => [2, 64], 'ttl' => [2, 60], 'rebuild' => [20, 10000], 'port' => [0, 65535]];

	public static function parse(array $arguments): self
	{
		$options = new self();
		while ($arguments) {
			[$name, $value] = explode('=', array_shift($arguments), 2) + [1 => null];
			if ($name === '--check') {
				$options->is_check = true;
			} else {
				$options->take($name, $value ?? array_shift($arguments));
			}
		}
		if ($options->rebuild > 500 * $options->ttl) {
			throw new UsageError('--rebuild must be at most half of --ttl (milliseconds and seconds)');
		}
		return $options;
	}

	private function take(string $name, ?string $value): void
	{
		$option = substr($name, 2);
		if (!str_starts_with($name, '--') || ($option !== 'socket' && !isset(self::BETWEEN[$option]))) {
			throw new UsageError("unknown option \"$name\" of --live");
		}
		if ($option === 'socket') {
			$this->socket = (string) $value;
			return;
		}
		[$least, $most] = self::BETWEEN[$option];
		$number = filter_var($value, FILTER_VALIDATE_INT, ['options' => ['min_range' => $least, 'max_range' => $most]]);
		if ($number === false) {
			throw new UsageError("$name must be a whole number from $least to $most");
		}
		$this->$option = $number;
	}
}

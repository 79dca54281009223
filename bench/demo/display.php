<?php
/* The live display: on a terminal one line that is written over and over, elsewhere a plain line every
 * few seconds. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Display
{
	private const BAR = 24;
	private const NAME = 32;
	private const PLAIN_SECONDS = 5;
	private readonly bool $is_terminal;
	private float $next_plain = self::PLAIN_SECONDS;

	public function __construct(private readonly Options $options)
	{
		$this->is_terminal = stream_isatty(STDOUT);
	}

	/** Seconds between two looks at the board. */
	public function interval(): float
	{
		return $this->is_terminal ? 0.05 : 0.5;
	}

	public function begin(Contender $contender, Scene $scene): void
	{
		$this->next_plain = self::PLAIN_SECONDS;
		if (!$this->is_terminal) {
			echo $this->heading($contender, $scene), "\n";
		}
	}

	public function show(Contender $contender, Scene $scene, array $sums, float $elapsed): void
	{
		if ($this->is_terminal) {
			$this->overwrite($this->heading($contender, $scene) . $this->numbers($scene, $sums, $elapsed)
				. '  ' . $this->bar($sums['rebuilding']));
		} elseif ($elapsed >= $this->next_plain && $elapsed < $scene->seconds) {
			$this->next_plain += self::PLAIN_SECONDS;
			echo '  ', $this->numbers($scene, $sums, $elapsed), ", {$sums['rebuilding']} running\n";
		}
	}

	/** What stays on the screen when the scene is over. */
	public function finish(Contender $contender, Scene $scene, array $sums): void
	{
		$line = sprintf('%s reads, %d %s', number_format($sums['reads']), $sums['rebuilds'],
			$sums['rebuilds'] === 1 ? 'rebuild' : 'rebuilds');
		if ($this->is_terminal) {
			$this->overwrite($this->heading($contender, $scene) . $line);
			echo "\n";
		} else {
			echo "  $line\n";
		}
	}

	private function heading(Contender $contender, Scene $scene): string
	{
		$name = $contender->title() . ($scene->is_warm ? '' : ' (cold)');
		return $this->is_terminal ? "\e[1m" . str_pad($name, self::NAME) . "\e[0m" : $name;
	}

	private function numbers(Scene $scene, array $sums, float $elapsed): string
	{
		$elapsed = min($elapsed, $scene->seconds);
		return sprintf(
			'%4.1f of %g s  %6s reads/s  %3d rebuilds',
			$elapsed,
			$scene->seconds,
			number_format($elapsed > 0 ? $sums['reads'] / $elapsed : 0),
			$sums['rebuilds'],
		);
	}

	/** How many of the processes are rebuilding at this moment. */
	private function bar(int $rebuilding): string
	{
		$full = (int) ceil(self::BAR * min($rebuilding, $this->options->workers) / $this->options->workers);
		return "\e[31m" . str_repeat('█', $full) . "\e[2;32m" . str_repeat('░', self::BAR - $full) . "\e[0m";
	}

	private function overwrite(string $line): void
	{
		echo "\r\e[?7l$line\e[K\e[?7h";
	}
}

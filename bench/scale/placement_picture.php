<?php
/* The picture of placement: for each number of servers what a new one moves, and what weights give. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\Bench\Demo\Svg;

require_once __DIR__ . '/../demo/svg.php';

final class PlacementPicture
{
	private const WIDTH = 1120;
	private const HEIGHT = 470;
	private const TOP = 130;
	private const PLOT_HEIGHT = 260;
	private const MARGIN = 40;
	private const AXIS_WIDTH = 44;
	private const RIGHT_PLOT = 800;

	private const INK = '#1d2733';
	private const FAINT = '#6b7785';
	private const RULE = '#d5dbe1';
	private const PAPER = '#ffffff';
	private const COLORS = ['#2f8f57', '#d6303f'];
	private const NAMES = ['Ketama', 'Modulo'];

	private readonly Svg $svg;

	/**
	 * @param array<int, list<float>> $moves servers before => what Ketama and Modulo move
	 * @param list<list<float>> $shares of each weighted server, by Ketama and by Modulo
	 * @param list<float> $wanted of each weighted server
	 */
	public static function svg(int $keys, array $moves, array $shares, array $wanted): string
	{
		$picture = new self();
		$picture->svg->rectangle(0, 0, self::WIDTH, self::HEIGHT, self::PAPER);
		$picture->head($keys);
		$picture->moves($moves);
		$picture->weights($shares, $wanted);
		return $picture->svg->document(self::WIDTH, self::HEIGHT, 'Where keys live on many servers');
	}

	private function __construct()
	{
		$this->svg = new Svg();
	}

	private function head(int $keys): void
	{
		$this->svg->text(self::MARGIN, 50, 'Keys that live elsewhere when one server joins', 24, self::INK, weight: 700);
		$this->svg->text(self::MARGIN, 78, number_format($keys) . ' keys; a line: one server\'s even share', 15, self::FAINT);
		$this->svg->text(self::RIGHT_PLOT, 50, 'Keys on servers of weight', 24, self::INK, weight: 700);
		$this->svg->text(self::RIGHT_PLOT, 78, 'a line: the weight\'s share', 15, self::FAINT);
		foreach (self::NAMES as $i => $name) {
			$x = self::MARGIN + self::AXIS_WIDTH + 110 * $i;
			$this->svg->rectangle($x, 94, 16, 16, self::COLORS[$i], 3);
			$this->svg->text($x + 24, 108, $name, 15, self::INK);
		}
	}

	private function moves(array $moves): void
	{
		$left = self::MARGIN + self::AXIS_WIDTH;
		$right = self::RIGHT_PLOT - 70;
		$this->axis($left, $right, 1.0, 4);
		$step = ($right - $left) / count($moves);
		$x = $left;
		foreach ($moves as $servers => $shares) {
			$this->group($x, $step, $shares, 1.0, 1 / ($servers + 1), "$servers → " . $servers + 1);
			$x += $step;
		}
	}

	private function weights(array $shares, array $wanted): void
	{
		$left = self::RIGHT_PLOT + self::AXIS_WIDTH;
		$right = self::WIDTH - self::MARGIN;
		$highest = 0.6;
		$this->axis($left, $right, $highest, 3);
		$step = ($right - $left) / count($wanted);
		foreach ($wanted as $i => $share) {
			$this->group($left + $i * $step, $step, array_column($shares, $i), $highest, $share, (string) round($share / min($wanted)));
		}
	}

	/** Two bars, what would be ideal, and what it is about. */
	private function group(float $x, float $width, array $shares, float $highest, float $ideal, string $label): void
	{
		$bottom = self::TOP + self::PLOT_HEIGHT;
		$bar = $width * 0.36;
		$line = self::PLOT_HEIGHT * $ideal / $highest;
		foreach ($shares as $i => $share) {
			$height = self::PLOT_HEIGHT * $share / $highest;
			$this->svg->rectangle($x + $width * 0.14 + $i * $bar, $bottom - $height, $bar - 2, $height, self::COLORS[$i]);
			// Not through the line.
			$above = $height < $line && $height > $line - 20 ? $line : $height;
			$this->svg->text($x + $width * 0.14 + ($i + 0.5) * $bar, $bottom - $above - 5, (string) round(100 * $share), 12, self::INK, 'middle');
		}
		$this->svg->line($x + $width * 0.07, $bottom - $line, $x + $width * 0.93, $bottom - $line, self::INK, '5 3');
		$this->svg->text($x + $width / 2, $bottom + 24, $label, 14, self::INK, 'middle');
	}

	private function axis(float $left, float $right, float $highest, int $steps): void
	{
		for ($step = 0; $step <= $steps; $step++) {
			$y = self::TOP + self::PLOT_HEIGHT * (1 - $step / $steps);
			$this->svg->line($left, $y, $right, $y, $step === 0 ? self::FAINT : self::RULE);
			$this->svg->text($left - 8, $y + 4, round(100 * $highest * $step / $steps) . ' %', 12, self::FAINT, 'end');
		}
	}
}

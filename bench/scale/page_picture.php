<?php
/* The picture of a page that reads 20 values from a server over a network: with and without prefetch. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Scale;

use McPatterns\Bench\Demo\Svg;

require_once __DIR__ . '/../demo/svg.php';

final class PagePicture
{
	private const WIDTH = 800;
	private const HEAD = 104;
	private const ROW = 58;
	private const FOOT = 40;
	private const MARGIN = 32;
	private const PLOT_LEFT = 250;
	private const PLOT_RIGHT = 690;
	private const BAR = 26;

	private const INK = '#1d2733';
	private const FAINT = '#6b7785';
	private const RULE = '#d5dbe1';
	private const PAPER = '#ffffff';
	private const TRIP = '#f6b93b';
	private const PREFETCHED = '#2f8f57';

	/** @param array<string, array{float, float}> $rows how the page reads => round trips and milliseconds */
	public static function svg(array $rows, float $away_ms): string
	{
		$svg = new Svg();
		$height = self::HEAD + self::ROW * count($rows) + self::FOOT;
		$svg->rectangle(0, 0, self::WIDTH, $height, self::PAPER);
		$svg->text(self::MARGIN, 44, 'A page that reads 20 cached values', 22, self::INK, weight: 700);
		$svg->text(self::MARGIN, 70, "memcached $away_ms ms away; each block is a round trip", 14, self::FAINT);
		$longest = max(array_column($rows, 1));
		$scale = (self::PLOT_RIGHT - self::PLOT_LEFT) / $longest;
		$y = self::HEAD;
		foreach ($rows as $name => [$trips, $took_ms]) {
			self::row($svg, $y, $name, $trips, $took_ms, $scale);
			$y += self::ROW;
		}
		$step = 5 * (int) ceil($longest / 25);
		for ($at = 0; $at <= $longest; $at += $step) {
			$svg->line(self::PLOT_LEFT + $at * $scale, self::HEAD - 12, self::PLOT_LEFT + $at * $scale, $y, self::RULE, '2 4');
			$svg->text(self::PLOT_LEFT + $at * $scale, $y + 20, $at === 0 ? '0' : "$at ms", 13, self::FAINT, 'middle');
		}
		return $svg->document(self::WIDTH, $height, 'Waiting time of a page that reads 20 cached values');
	}

	private static function row(Svg $svg, float $y, string $name, float $trips, float $took_ms, float $scale): void
	{
		$svg->text(self::PLOT_LEFT - 16, $y + 18, $name, 14, self::INK, 'end', 600);
		$width = $took_ms * $scale / $trips;
		for ($trip = 0; $trip < $trips; $trip++) {
			$svg->rectangle(self::PLOT_LEFT + $trip * $width, $y, max(1, $width - 2), self::BAR, $trips < 2 ? self::PREFETCHED : self::TRIP, 2);
		}
		$svg->text(self::PLOT_LEFT + $took_ms * $scale + 10, $y + 18, sprintf('%.1f ms', $took_ms), 14, self::INK, weight: 600);
	}
}

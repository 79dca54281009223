<?php
/* The picture: for each contender what its processes were doing at every moment, stacked. Red ones run
 * the slow query, amber ones wait for somebody else's, the green rest is served at once. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Picture
{
	private const WIDTH = 1280;
	private const MARGIN = 40;
	/** The plots of the hot scene stand between these two. */
	private const PLOT_LEFT = 344;
	private const PLOT_RIGHT = 1004;
	private const PLOT_HEIGHT = 128;
	private const ROW_HEIGHT = 170;
	private const HEAD_HEIGHT = 168;
	private const AXIS_HEIGHT = 18;
	private const COLD_HEAD = 92;
	private const COLD_HEIGHT = 272;
	private const COLD_GAP = 48;
	/** As many panels as have room for their captions. */
	private const COLD_COLUMNS = 3;

	private const INK = '#1d2733';
	private const FAINT = '#6b7785';
	private const RULE = '#d5dbe1';
	private const PAPER = '#ffffff';
	private const SERVED = '#d3efdc';
	private const SERVED_INK = '#2f8f57';
	private const WAITING = '#f6b93b';
	private const REBUILDING = '#d6303f';

	private readonly Svg $svg;
	private float $y = 0;

	/** @param array<string, array<string, Samples>> $played scene => contender => samples
	 *  @param array<string, Contender> $contenders */
	public static function svg(Options $options, array $contenders, array $played): string
	{
		$picture = new self($options, $contenders);
		$height = self::HEAD_HEIGHT + self::ROW_HEIGHT * count($played['hot']) + self::AXIS_HEIGHT
			+ (isset($played['cold']) ? self::COLD_HEAD + self::COLD_HEIGHT * self::cold_rows($played['cold']) : 0);
		$picture->svg->rectangle(0, 0, self::WIDTH, $height, self::PAPER);
		$picture->head();
		$picture->hot($played['hot']);
		if (isset($played['cold'])) {
			$picture->cold($played['cold']);
		}
		return $picture->svg->document(self::WIDTH, $height, 'Rebuilds of one hot cache key');
	}

	private function __construct(private readonly Options $options, private readonly array $contenders)
	{
		$this->svg = new Svg();
	}

	private function head(): void
	{
		$options = $this->options;
		$left = self::MARGIN;
		$this->svg->text($left, 58, "{$options->workers} PHP processes read one cached value", 30, self::INK, weight: 700);
		$this->svg->text($left, 90, sprintf(
			'It expires every %d s, and the query that rebuilds it takes %s s. How many of them run that query?',
			$options->ttl,
			$options->rebuild_ms / 1000,
		), 18, self::FAINT);
		$legend = [
			[self::REBUILDING, 'run the slow query'],
			[self::WAITING, 'wait for somebody else to'],
			[self::SERVED, 'are served at once'],
		];
		$this->svg->text($left, 134, 'Processes that', 15, self::INK, weight: 600);
		$x = $left + Svg::width('Processes that', 15, 600) + 14;
		foreach ($legend as [$color, $words]) {
			$this->svg->rectangle($x, 120, 18, 18, $color, 3);
			$this->svg->text($x + 26, 134, $words, 15, self::INK);
			$x += 26 + Svg::width($words, 15) + 22;
		}
		$this->expiry_mark($x + 20, 133);
		$this->svg->text($x + 32, 134, 'the value expires: rebuilds of it', 15, self::INK);
		$this->y = self::HEAD_HEIGHT;
	}

	/** @param array<string, Samples> $played */
	private function hot(array $played): void
	{
		$top = $this->y;
		foreach ($played as $name => $samples) {
			$this->row($this->contenders[$name], $samples);
		}
		$this->axis($this->y - (self::ROW_HEIGHT - self::PLOT_HEIGHT) + 6);
		$this->y = $top + self::ROW_HEIGHT * count($played) + self::AXIS_HEIGHT;
	}

	private function row(Contender $contender, Samples $samples): void
	{
		$middle = $this->y + self::PLOT_HEIGHT / 2;
		$this->svg->text(self::MARGIN, $middle - 4, $contender->title(), 19, self::INK, weight: 700);
		$this->svg->text(self::MARGIN, $middle + 18, $contender->description(), 13, self::FAINT);
		$this->scale(self::PLOT_LEFT, $this->y);
		$this->plot($samples, self::PLOT_LEFT, $this->y, self::PLOT_RIGHT - self::PLOT_LEFT, self::PLOT_HEIGHT);
		foreach ($samples->expiries as ['start_ns' => $moment, 'rebuilds' => $rebuilds]) {
			$x = self::PLOT_LEFT + self::share($samples, $moment) * (self::PLOT_RIGHT - self::PLOT_LEFT);
			$this->expiry_mark($x, $this->y - 3);
			$this->svg->text($x + 9, $this->y - 4, (string) $rebuilds, 14,
				$rebuilds === 1 ? self::SERVED_INK : self::REBUILDING, weight: 700);
		}
		$this->verdict($samples, $middle);
		$this->y += self::ROW_HEIGHT;
	}

	private function verdict(Samples $samples, float $middle): void
	{
		[$number, $range] = explode(' ', Report::per_expiry($samples) . ' ', 2);
		$x = self::PLOT_RIGHT + 28;
		$color = $number === '1' ? self::SERVED_INK : self::REBUILDING;
		$this->svg->text($x, $middle - 6, $number, 54, $color, weight: 700);
		$this->svg->text($x + Svg::width($number, 54, 700) + 8, $middle - 6, trim($range), 14, self::INK, weight: 600);
		$words = ($number === '1' ? 'rebuild' : 'rebuilds') . ' per expiry';
		$this->svg->text($x, $middle + 18, $words, 14, self::INK, weight: 600);
		$slow = count($samples->rebuilds) + count($samples->waiting);
		$this->svg->text($x, $middle + 40, "$slow pages held up", 14, self::FAINT);
		$waits = sprintf('99 %% of readers: %s', Report::milliseconds($samples->percentile(0.99)));
		$this->svg->text($x, $middle + 58, $waits, 13, self::FAINT);
	}

	private function axis(float $y): void
	{
		$step = max(1, intdiv($this->options->seconds, 10));
		for ($second = 0; $second <= $this->options->seconds; $second += $step) {
			$x = self::PLOT_LEFT + $second / $this->options->seconds * (self::PLOT_RIGHT - self::PLOT_LEFT);
			$this->svg->line($x, $y, $x, $y + 6, self::FAINT);
			$this->svg->text($x, $y + 23, $second === 0 ? '0' : "$second s", 13, self::FAINT, 'middle');
		}
		$this->svg->line(self::PLOT_LEFT, $y, self::PLOT_RIGHT, $y, self::FAINT);
	}

	/** @param array<string, Samples> $played */
	private function cold(array $played): void
	{
		$this->svg->line(self::MARGIN, $this->y + 8, self::WIDTH - self::MARGIN, $this->y + 8, self::RULE);
		$this->svg->text(self::MARGIN, $this->y + 50, 'Cold start: nothing was ever there, and all of them ask at once',
			22, self::INK, weight: 700);
		$this->y += self::COLD_HEAD;
		$columns = min(count($played), self::COLD_COLUMNS);
		$width = (self::WIDTH - 2 * self::MARGIN - ($columns - 1) * self::COLD_GAP) / $columns;
		foreach (array_chunk($played, $columns, true) as $row) {
			$x = self::MARGIN;
			foreach ($row as $name => $samples) {
				$this->panel($this->contenders[$name], $samples, $x, $width);
				$x += $width + self::COLD_GAP;
			}
			$this->y += self::COLD_HEIGHT;
		}
	}

	/** @param array<string, Samples> $played */
	private static function cold_rows(array $played): int
	{
		return (int) ceil(count($played) / self::COLD_COLUMNS);
	}

	private function panel(Contender $contender, Samples $samples, float $x, float $width): void
	{
		$rebuilds = count($samples->rebuilds);
		$this->svg->text($x, $this->y, $contender->title(), 17, self::INK, weight: 700);
		$top = $this->y + 14;
		$this->plot($samples, $x, $top, $width, self::PLOT_HEIGHT);
		$this->panel_axis($samples->scene, $x, $top + self::PLOT_HEIGHT + 6, $width);
		$this->svg->text($x, $top + self::PLOT_HEIGHT + 54, $rebuilds . ($rebuilds === 1 ? ' rebuild' : ' rebuilds'), 17,
			$rebuilds === 1 ? self::SERVED_INK : self::REBUILDING, weight: 700);
		$this->svg->text($x, $top + self::PLOT_HEIGHT + 76, sprintf('all served after %s',
			Report::milliseconds($samples->everybody_ns - $samples->start_ns)), 14, self::FAINT);
	}

	private function panel_axis(Scene $scene, float $x, float $y, float $width): void
	{
		$parts = 2;
		$this->svg->line($x, $y, $x + $width, $y, self::FAINT);
		for ($part = 0; $part <= $parts; $part++) {
			$at = $x + $width * $part / $parts;
			$this->svg->line($at, $y, $at, $y + 6, self::FAINT);
			$this->svg->text($at, $y + 23, $part === 0 ? '0' : round($scene->seconds * 1000 * $part / $parts) . ' ms', 13,
				self::FAINT, $part === 0 ? 'start' : ($part === $parts ? 'end' : 'middle'));
		}
	}

	private function scale(float $x, float $y): void
	{
		$this->svg->text($x - 8, $y + 11, (string) $this->options->workers, 12, self::FAINT, 'end');
		$this->svg->text($x - 8, $y + self::PLOT_HEIGHT, '0', 12, self::FAINT, 'end');
	}

	/* Waiting stands on rebuilding: two areas, the upper one drawn first. */
	private function plot(Samples $samples, float $x, float $y, float $width, float $height): void
	{
		$this->svg->rectangle($x, $y, $width, $height, self::SERVED);
		$steps = Steps::count([$samples->rebuilds, $samples->waiting]);
		foreach ([self::WAITING => [0, 1], self::REBUILDING => [0]] as $color => $layers) {
			$points = [[$x, $y + $height]];
			$at = $y + $height;
			foreach ($steps as [$moment, $open]) {
				$to = $x + $width * self::share($samples, $moment);
				$points[] = [$to, $at];
				$sum = array_sum(array_intersect_key($open, array_flip($layers)));
				$at = $y + $height * (1 - min(1, $sum / $this->options->workers));
				$points[] = [$to, $at];
			}
			$points[] = [$x + $width, $at];
			$points[] = [$x + $width, $y + $height];
			$this->svg->polygon($points, $color);
		}
	}

	private function expiry_mark(float $x, float $tip): void
	{
		$this->svg->polygon([[$x - 5, $tip - 9], [$x + 5, $tip - 9], [$x, $tip]], self::INK);
	}

	/** Of the scene's time, 0 to 1. */
	private static function share(Samples $samples, int $moment_ns): float
	{
		$span = $samples->end_ns() - $samples->start_ns;
		return max(0, min(1, ($moment_ns - $samples->start_ns) / $span));
	}
}

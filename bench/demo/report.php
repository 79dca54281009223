<?php
/* The table that is printed at the end: one line for each contender of a scene. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Report
{
	/** @param array<string, array<string, Samples>> $played scene => contender => samples
	 *  @param array<string, Contender> $contenders */
	public static function text(Options $options, array $contenders, array $played): string
	{
		$text = '';
		foreach ($played as $scene => $samples) {
			[$heading, $columns, $cells] = match ($scene) {
				'hot' => [
					sprintf('A hot key: %d processes, TTL %d s, a rebuild of %d ms, %d s', $options->workers,
						$options->ttl, $options->rebuild_ms, $options->seconds),
					['rebuilds per expiry', 'rebuilds', 'wait p50', 'p99', 'longest', 'stalest', 'reads'],
					self::hot(...),
				],
				'cold' => [
					"Cold start: {$options->workers} processes read a cold key at once",
					['rebuilds', 'all have it after', 'wait longest', 'reads'],
					self::cold(...),
				],
			};
			$rows = [['', ...$columns]];
			foreach ($samples as $name => $sample) {
				$rows[] = [$contenders[$name]->title(), ...$cells($sample)];
			}
			$text .= "\n$heading\n\n" . self::table($rows);
		}
		return $text . "\nWaits: of the readers that did not rebuild. Stalest: the longest time after its TTL"
			. "\nthat a value was served.\n";
	}

	/** "32", or "9.8 (4 to 15)" where it was not the same each time. */
	public static function per_expiry(Samples $samples): string
	{
		$counts = $samples->rebuilds_per_expiry();
		if ($counts === []) {
			return 'none seen';
		}
		if (min($counts) === max($counts)) {
			return (string) $counts[0];
		}
		return sprintf('%.1f (%d to %d)', array_sum($counts) / count($counts), min($counts), max($counts));
	}

	public static function milliseconds(int $ns): string
	{
		$ms = $ns / 1e6;
		$format = $ms < 1 ? '%.2f ms' : ($ms < 10 ? '%.1f ms' : '%.0f ms');
		return $ns === 0 ? '–' : sprintf($format, $ms);
	}

	private static function hot(Samples $samples): array
	{
		return [
			self::per_expiry($samples),
			(string) count($samples->rebuilds),
			self::milliseconds($samples->percentile(0.5)),
			self::milliseconds($samples->percentile(0.99)),
			self::milliseconds($samples->longest_ns()),
			self::milliseconds($samples->longest_stale_ns),
			number_format($samples->reads),
		];
	}

	private static function cold(Samples $samples): array
	{
		return [
			(string) count($samples->rebuilds),
			self::milliseconds($samples->everybody_ns - $samples->start_ns),
			self::milliseconds($samples->longest_ns()),
			number_format($samples->reads),
		];
	}

	/** Code points; mbstring is not among what the demo installs. */
	private static function width(string $cell): int
	{
		return preg_match_all('/./su', $cell);
	}

	/** @param list<list<string>> $rows the first column to the left, the others to the right */
	private static function table(array $rows): string
	{
		$widths = array_map(
			fn (int $column): int => max(array_map(self::width(...), array_column($rows, $column))),
			array_keys($rows[0]),
		);
		$text = '';
		foreach ($rows as $row) {
			$cells = array_map(
				fn (string $cell, int $width, int $column): string =>
					$column === 0
						? $cell . str_repeat(' ', $width - self::width($cell))
						: str_repeat(' ', $width - self::width($cell)) . $cell,
				$row,
				$widths,
				array_keys($row),
			);
			$text .= '  ' . rtrim(implode('  ', $cells)) . "\n";
		}
		return $text;
	}
}

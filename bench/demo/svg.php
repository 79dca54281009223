<?php
/* A little SVG: shapes and text at places, escaped and rounded. It knows nothing of what is drawn. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Svg
{
	private const FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Lato, 'Liberation Sans', 'DejaVu Sans', sans-serif";
	/** Hundredths of the font's size that the characters from space to tilde take in DejaVu Sans, the widest of FONT. */
	private const REGULAR = [32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
		84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34,
		39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64,
		84];
	private const BOLD = [35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
		84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110, 77, 72, 73, 46, 37, 46,
		84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71, 65, 92, 65, 65, 58, 71, 37, 71, 84];
	private string $body = '';

	/** Of a text in the widest font that a viewer may have. A character that is not ASCII counts as 100. */
	public static function width(string $text, int $size, int $weight = 400): float
	{
		$widths = $weight >= 600 ? self::BOLD : self::REGULAR;
		$sum = 0;
		foreach (preg_split('//u', $text, flags: PREG_SPLIT_NO_EMPTY) as $character) {
			$sum += $widths[ord($character) - 32] ?? 100;
		}
		return $sum * $size / 100;
	}

	public function rectangle(float $x, float $y, float $width, float $height, string $fill, float $round = 0): void
	{
		$this->body .= sprintf(
			'<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>' . "\n",
			self::number($x),
			self::number($y),
			self::number($width),
			self::number($height),
			$fill,
			$round > 0 ? ' rx="' . self::number($round) . '"' : '',
		);
	}

	public function line(float $x1, float $y1, float $x2, float $y2, string $stroke, string $dashes = ''): void
	{
		$this->body .= sprintf(
			'<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"%s/>' . "\n",
			self::number($x1),
			self::number($y1),
			self::number($x2),
			self::number($y2),
			$stroke,
			$dashes === '' ? '' : " stroke-dasharray=\"$dashes\"",
		);
	}

	/** @param list<array{float, float}> $points */
	public function polygon(array $points, string $fill): void
	{
		$path = implode(' ', array_map(
			fn (array $point): string => self::number($point[0]) . ',' . self::number($point[1]),
			$points,
		));
		$this->body .= "<polygon points=\"$path\" fill=\"$fill\"/>\n";
	}

	/** @param string $anchor start, middle or end */
	public function text(
		float $x,
		float $y,
		string $text,
		int $size,
		string $fill,
		string $anchor = 'start',
		int $weight = 400,
	): void {
		$this->body .= sprintf(
			'<text x="%s" y="%s" font-size="%d" fill="%s" text-anchor="%s" font-weight="%d">%s</text>' . "\n",
			self::number($x),
			self::number($y),
			$size,
			$fill,
			$anchor,
			$weight,
			htmlspecialchars($text, ENT_XML1),
		);
	}

	public function document(int $width, int $height, string $title): string
	{
		$title = htmlspecialchars($title, ENT_XML1);
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"$width\" height=\"$height\""
			. " viewBox=\"0 0 $width $height\" role=\"img\" font-family=\"" . self::FONT . "\">\n"
			. "<title>$title</title>\n{$this->body}</svg>\n";
	}

	private static function number(float $number): string
	{
		return (string) round($number, 2);
	}
}

<?php
/* A little SVG: shapes and text at places, escaped and rounded. It knows nothing of what is drawn. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Svg
{
	private const FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Lato, 'Liberation Sans', 'DejaVu Sans', sans-serif";
	private string $body = '';

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

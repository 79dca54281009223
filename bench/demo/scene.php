<?php
/* A scene is what happens around one key: for how long the readers come, and whether a value is there
 * before they do. The two there are stand here as constructors. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

final class Scene
{
	private function __construct(
		public readonly string $name,
		public readonly float $seconds,
		public readonly bool $is_warm,
	) {
	}

	/** A popular key that is there, and expires again and again. */
	public static function hot(Options $options): self
	{
		return new self('hot', (float) $options->seconds, true);
	}

	/** A key that never was, and everybody asks for it at the same moment. */
	public static function cold(Options $options): self
	{
		return new self('cold', 3 * $options->rebuild_ms / 1000, false);
	}

	/** @return list<self> */
	public static function all(Options $options): array
	{
		return [self::hot($options), self::cold($options)];
	}
}

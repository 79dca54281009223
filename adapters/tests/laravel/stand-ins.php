<?php
/* What Laravel names of two packages that are not installed (composer.json), as far as it comes to run here. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace Symfony\Component\Clock {
	if (!interface_exists(ClockInterface::class)) {
		interface ClockInterface extends \Psr\Clock\ClockInterface
		{
			public function sleep(float|int $seconds): void;

			public function withTimeZone(\DateTimeZone|string $timezone): static;
		}
	}
}

namespace {
	if (!function_exists('array_first')) {
		/** @param array<array-key, mixed> $array */
		function array_first(array $array): mixed
		{
			return $array === [] ? null : $array[array_key_first($array)];
		}

		/** @param array<array-key, mixed> $array */
		function array_last(array $array): mixed
		{
			return $array === [] ? null : $array[array_key_last($array)];
		}
	}
}

<?php
/* What caches of every kind are tried with. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

final class Cases
{
	/** @return iterable<string, array{mixed}> */
	public static function values(): iterable
	{
		yield 'null' => [null];
		yield 'false' => [false];
		yield 'true' => [true];
		yield 'zero' => [0];
		yield 'integer' => [PHP_INT_MIN];
		yield 'float' => [1.0];
		yield 'float without an end' => [0.1 + 0.2];
		yield 'empty string' => [''];
		yield 'digits' => ['0123'];
		yield 'binary' => [implode('', array_map(chr(...), range(0, 255)))];
		yield 'long' => [str_repeat('long ', 20_000)];
		yield 'empty array' => [[]];
		yield 'nested array' => [['a' => ['b' => [null, 1.5]], 7 => 'x']];
		yield 'object' => [(object) ['a' => 1]];
		yield 'date' => [new \DateTimeImmutable('2026-02-28 12:00:00.25', new \DateTimeZone('Europe/Zurich'))];
	}

	/** @return iterable<string, array{string}> */
	public static function legalKeys(): iterable
	{
		yield 'allowed characters' => ['AZaz09_.'];
		yield '64 characters' => [str_repeat('k', 64)];
		yield 'more than memcached takes' => [str_repeat('long', 100)];
		yield 'spaces and line ends' => ["a b\r\nset c 0 0 1"];
		yield 'UTF-8' => ['ключ'];
	}

	/** @return iterable<string, array{string}> */
	public static function forbiddenKeys(): iterable
	{
		yield 'empty' => [''];
		foreach (str_split('{}()/\\@:') as $character) {
			yield $character => ["key{$character}end"];
		}
	}
}

<?php
/* What the demo knows of the ways of caching it compares: one small class each, in a file of its own
 * in contenders/. A new row of the demo is a new file there and nothing else. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Demo;

interface Contender
{
	/** As it stands in the table and the picture. */
	public function title(): string;

	/** One short line for somebody who never saw it. */
	public function description(): string;

	/** Null when it can run here, else what is missing. */
	public function missing(): ?string;

	/** The names of the scenes it plays in: 'hot', 'cold'. */
	public function scenes(): array;

	/** Called once in each process, after the fork. */
	public function connect(string $socket, int $ttl): void;

	/** One page view: the value from the cache, or $compute() and store it. */
	public function read(string $key, callable $compute): mixed;

	/** Puts a value there before the readers come. */
	public function store(string $key, mixed $value): void;
}

/** @return array<string, Contender> by file name, in the order asked for */
function load_contenders(array $names): array
{
	$contenders = [];
	foreach ($names as $name) {
		$file = __DIR__ . "/contenders/$name.php";
		if (!preg_match('/^\w+$/', $name) || !is_file($file)) {
			$known = implode(', ', array_map(
				fn (string $path): string => basename($path, '.php'),
				glob(__DIR__ . '/contenders/*.php'),
			));
			throw new UsageError("no contender is called \"$name\" (there are: $known)");
		}
		$contenders[$name] = require $file;
	}
	return $contenders;
}

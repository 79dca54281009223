<?php
/* A log that a test can read. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use Psr\Log\AbstractLogger;

final class CollectedLog extends AbstractLogger
{
	/** @var list<string> */
	public array $said = [];

	/** @param array<mixed> $context */
	public function log(mixed $level, string|\Stringable $message, array $context = []): void
	{
		$this->said[] = "$level: $message (" . ($context['key'] ?? '') . ', ' . ($context['type'] ?? '') . ')';
	}
}

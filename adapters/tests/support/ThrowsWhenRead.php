<?php
/* A value whose own code fails when it is read again, as one of yesterday's deploy may. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

final class ThrowsWhenRead
{
	/** @param array<string, mixed> $data */
	public function __unserialize(array $data): void
	{
		throw new \TypeError('not any more');
	}
}

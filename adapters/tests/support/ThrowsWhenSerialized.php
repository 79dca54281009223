<?php
/* A value whose own code fails when it is to be stored. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

final class ThrowsWhenSerialized
{
	/** @return array<string, mixed> */
	public function __serialize(): array
	{
		throw new \DomainException('not now');
	}
}

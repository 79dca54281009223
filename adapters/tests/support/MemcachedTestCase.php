<?php
/* A test over a private memcached. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use PHPUnit\Framework\TestCase;

abstract class MemcachedTestCase extends TestCase
{
	use UsesMemcached;
}

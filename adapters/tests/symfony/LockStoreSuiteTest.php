<?php
/* The suite that symfony/lock brings for its stores. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\LockStore;
use McPatterns\Adapters\Tests\Support\UsesMemcached;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Test\AbstractStoreTestCase;

final class LockStoreSuiteTest extends AbstractStoreTestCase
{
	use UsesMemcached;

	protected function getStore(): PersistingStoreInterface
	{
		return new LockStore($this->pool);
	}
}

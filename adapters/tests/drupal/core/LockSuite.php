<?php
/* Drupal's own tests of locks. See CacheBackendSuite.php. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use Drupal\KernelTests\Core\Lock\LockTest;
use McPatterns\Adapters\Drupal\LockBackend;
use McPatterns\Pool;

require_once __DIR__ . '/../../support/bootstrap.php';

/** @group Lock */
final class LockSuite extends LockTest
{
	private PrivateMemcached $memcached;

	protected function setUp(): void
	{
		parent::setUp();
		$this->memcached = start_memcached();
		$this->lock = new LockBackend(new Pool($this->memcached->address));
	}

	protected function tearDown(): void
	{
		$this->memcached->dispose();
		parent::tearDown();
	}
}

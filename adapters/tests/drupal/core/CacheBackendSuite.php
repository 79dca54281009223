<?php
/* Drupal's own suite of cache backends; by hand, from the root of a Drupal 10 with core's development packages:
 * php -d zend.assertions=1 vendor/bin/phpunit -c core/phpunit.xml.dist PATH/TO/adapters/tests/drupal/core/CacheBackendSuite.php, and so LockSuite.php, FloodSuite.php. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use Drupal\KernelTests\Core\Cache\GenericCacheBackendUnitTestBase;
use McPatterns\Adapters\Drupal\CacheBackend;
use McPatterns\Pool;

require_once __DIR__ . '/../../support/bootstrap.php';

/** @group Cache */
final class CacheBackendSuite extends GenericCacheBackendUnitTestBase
{
	private static PrivateMemcached $memcached;

	public static function setUpBeforeClass(): void
	{
		parent::setUpBeforeClass();
		self::$memcached = start_memcached();
	}

	public static function tearDownAfterClass(): void
	{
		self::$memcached->dispose();
		parent::tearDownAfterClass();
	}

	protected function createCacheBackend($bin): CacheBackend
	{
		return new CacheBackend(new Pool(self::$memcached->address), $bin, $this->container->get('cache_tags.invalidator.checksum'), $this->container->get('datetime.time'));
	}
}

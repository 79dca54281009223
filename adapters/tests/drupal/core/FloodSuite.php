<?php
/* Drupal's own tests of flood control, over the services of services.yml. See CacheBackendSuite.php. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use Drupal\Core\Cache\CacheBackendInterface;
use Drupal\Core\DependencyInjection\{ContainerBuilder, YamlFileLoader};
use Drupal\Tests\system\Kernel\System\FloodTest;
use McPatterns\Adapters\Drupal\{CacheBackend, FloodBackend, LockBackend};

require_once __DIR__ . '/../../support/bootstrap.php';

/** @group system */
final class FloodSuite extends FloodTest
{
	private PrivateMemcached $memcached;

	public function register(ContainerBuilder $container): void
	{
		parent::register($container);
		$this->setSetting('mcpatterns', ['servers' => $this->memcached->address]);
		(new YamlFileLoader($container))->load(__DIR__ . '/../../../src/Drupal/services.yml');
		foreach (['lock', 'lock.persistent', 'flood'] as $service) {
			$container->setAlias($service, "mcpatterns.$service")->setPublic(true);
		}
	}

	protected function setUp(): void
	{
		$this->memcached = start_memcached();
		parent::setUp();
	}

	protected function tearDown(): void
	{
		parent::tearDown();
		$this->memcached->dispose();
	}

	public function floodBackendProvider(): array
	{
		return [$this->container->get('flood')];
	}

	/** The adapter's events expire by themselves: the parent's tests want them to count until cron has run. */
	public function testCleanUp(): void
	{
		$flood = \Drupal::flood();
		self::assertInstanceOf(FloodBackend::class, $flood);
		$flood->register('name');
		self::assertFalse($flood->isAllowed('name', 1));
		$this->container->get('cron')->run();
		self::assertFalse($flood->isAllowed('name', 1));
	}

	public function testDatabaseBackend(): void
	{
		self::assertInstanceOf(LockBackend::class, \Drupal::lock());
		$cache = $this->container->get('cache.backend.mcpatterns')->get('render');
		self::assertInstanceOf(CacheBackend::class, $cache);
		$cache->set('key', 'value', CacheBackendInterface::CACHE_PERMANENT, ['node:1']);
		self::assertSame('value', $cache->get('key')->data);
		\Drupal\Core\Cache\Cache::invalidateTags(['node:1']);
		self::assertFalse($cache->get('key'));
	}
}

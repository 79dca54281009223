<?php
/* services.yml in a container, with a site's settings, and the page's examples. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Drupal;

use Drupal\Core\Cache\CacheTagsChecksumInterface;
use Drupal\Core\Site\Settings;
use McPatterns\Adapters\Drupal\{CacheBackendFactory, FloodBackend, LockBackend, PoolFactory};
use McPatterns\{Cache, Pool, Transport};
use Symfony\Component\Config\FileLocator;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\YamlFileLoader;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\Yaml\Yaml;

require_once __DIR__ . '/../support/application.php';

final class ServicesTest extends DrupalTestCase
{
	/** @param array<string, mixed> $settings */
	private function container(array $settings): ContainerBuilder
	{
		$container = new ContainerBuilder();
		$container->setParameter('site.path', 'sites/default');
		foreach ([
			'settings' => new Settings($settings + ['hash_salt' => 'salt']),
			'cache_tags.invalidator.checksum' => $this->createStub(CacheTagsChecksumInterface::class),
			'datetime.time' => $this,
			'request_stack' => new RequestStack(),
		] as $id => $service) {
			$container->set($id, $service);
		}
		(new YamlFileLoader($container, new FileLocator(__DIR__ . '/../../src/Drupal')))->load('services.yml');
		return $container;
	}

	public function testThePagesExamplesRun(): void
	{
		[$code] = blocks_of('frameworks/drupal', 'php settings');
		$app_root = dirname(__DIR__, 2) . '/web';
		$settings = [];
		eval($code);
		self::assertSame(['cache.backend.mcpatterns'], array_values($settings['cache']));
		self::assertStringEndsWith('mcpatterns/adapters/src/Drupal/services.yml', $settings['container_yamls'][0]);
		self::assertInstanceOf(Pool::class, PoolFactory::create(new Settings($settings + ['hash_salt' => 'salt']), 'sites/default'));
		[$yaml] = examples_of(__DIR__ . '/../../../docs/frameworks/drupal.md', 'yaml');
		$ours = Yaml::parseFile(__DIR__ . '/../../src/Drupal/services.yml')['services'];
		foreach (Yaml::parse($yaml)['services'] as $alias) {
			self::assertArrayHasKey(substr($alias, 1), $ours);
		}
	}

	public function testTheContainerHasAllServices(): void
	{
		$container = $this->container(['mcpatterns' => ['servers' => self::$memcached->address, 'transport' => Transport::Direct]]);
		self::assertInstanceOf(CacheBackendFactory::class, $container->get('cache.backend.mcpatterns'));
		self::assertInstanceOf(FloodBackend::class, $container->get('mcpatterns.flood'));
		[$lock, $persistent] = [$container->get('mcpatterns.lock'), $container->get('mcpatterns.lock.persistent')];
		self::assertInstanceOf(LockBackend::class, $lock);
		self::assertInstanceOf(LockBackend::class, $persistent);
		self::assertSame('persistent', $persistent->getLockId());
		self::assertTrue($lock->acquire('name'));
		self::assertFalse($persistent->acquire('name'));
	}

	public function testASiteHasAPrefixAndAKeyOfItsOwn(): void
	{
		$pool = fn (array $settings, string $path = 'sites/default'): Pool => PoolFactory::create(new Settings($settings + ['hash_salt' => 'salt', 'mcpatterns' => ['servers' => self::$memcached->address]]), $path);
		(new Cache($pool([])))->set('key', 'value');
		self::assertSame('value', (new Cache($pool([])))->get('key'));
		self::assertNull((new Cache($pool([], 'sites/other')))->get('key'));
		self::assertNull((new Cache($pool(['hash_salt' => 'other'])))->get('key'));
		$settings = ['servers' => self::$memcached->address, 'prefix' => 'shop:'];
		(new Cache($pool(['mcpatterns' => $settings])))->set('key', 'value');
		$unsigned = new Cache($pool(['mcpatterns' => $settings + ['signingKey' => null], 'hash_salt' => 'other']));
		self::assertNotNull($unsigned->get('key'));
		$other = new Cache($pool(['mcpatterns' => $settings, 'hash_salt' => 'other']));
		self::assertNull($other->get('key'));
		self::assertSame(1, $other->stats()['forged']);
	}

	public function testSaysWhatIsWrong(): void
	{
		$this->expectExceptionMessage("\$settings['mcpatterns'] must be an array");
		PoolFactory::create(new Settings(['mcpatterns' => '10.0.0.5:11211', 'hash_salt' => 'salt']), 'sites/default');
	}
}

<?php
/* What the pages show of PSR and Symfony runs. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\{CacheAdapter, LockStore, TagAwareCacheAdapter};
use McPatterns\Adapters\Tests\Support\MemcachedTestCase;
use McPatterns\Pool;
use Psr\Cache\CacheItemPoolInterface;
use Psr\Container\ContainerInterface;
use Psr\SimpleCache\CacheInterface;
use Symfony\Component\Config\FileLocator;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\PhpFileLoader;
use Symfony\Component\Lock\LockFactory;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

require_once __DIR__ . '/../support/application.php';

final class PageTest extends MemcachedTestCase
{
	private static function block(string $page, string $kind, string $section = ''): string
	{
		$blocks = blocks_of($page, $kind, $section);
		self::assertCount(1, $blocks);
		return str_replace('127.0.0.1:11211', self::$memcached->address, $blocks[0]);
	}

	public function testTheExampleOfPsrRuns(): void
	{
		[$simple, $items] = eval(self::block('frameworks/psr', 'php psr') . 'return [$simple, $items];');
		self::assertTrue($simple->set('key', 'value'));
		self::assertSame('value', $items->getItem('key')->get());
		self::assertTrue($simple->clear());
		self::assertFalse($items->hasItem('key'));
	}

	public function testTheFactoriesOfLaminasMakeTheAdapters(): void
	{
		$config = eval(self::block('frameworks/psr', 'php laminas'));
		$container = new class ($config['dependencies']['factories']) implements ContainerInterface {
			/** @param array<string, callable(ContainerInterface): mixed> $factories */
			public function __construct(private readonly array $factories)
			{
			}

			public function get(string $id): mixed
			{
				return $this->factories[$id]($this);
			}

			public function has(string $id): bool
			{
				return isset($this->factories[$id]);
			}
		};
		self::assertTrue($container->get(CacheInterface::class)->set('key', 'value'));
		self::assertSame('value', $container->get(CacheItemPoolInterface::class)->getItem('key')->get());
	}

	public function testTheServicesOfSymfonyAreMade(): void
	{
		$folder = sys_get_temp_dir() . '/services' . bin2hex(random_bytes(4));
		mkdir($folder);
		file_put_contents("$folder/services.php", '<?php
			use McPatterns\Adapters\Symfony\{LockStore, RequestEnds, TagAwareCacheAdapter};
			use McPatterns\Pool;
			use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
			use Symfony\Component\Lock\LockFactory;
			use Symfony\Contracts\Cache\TagAwareCacheInterface;
			use function Symfony\Component\DependencyInjection\Loader\Configurator\{env, service};
			return function (ContainerConfigurator $container): void {
				$services = $container->services()->defaults()->public();
				' . self::block('frameworks/symfony', 'php symfony') . '};');
		putenv('MCPATTERNS_SERVERS=' . self::$memcached->address);
		try {
			$container = new ContainerBuilder();
			(new PhpFileLoader($container, new FileLocator($folder)))->load('services.php');
			$container->compile(resolveEnvPlaceholders: true);
			$cache = $container->get(TagAwareCacheInterface::class);
			self::assertInstanceOf(TagAwareCacheAdapter::class, $cache);
			self::assertSame('value', $cache->get('key', fn () => 'value'));
			$locks = $container->get(LockFactory::class);
			self::assertTrue($locks->createLock('resource')->acquire());
		} finally {
			putenv('MCPATTERNS_SERVERS');
			unlink("$folder/services.php");
			rmdir($folder);
		}
	}

	/** With Symfony's own classes in front, as their users have them. */
	public function testWhatOneMayHaveNowRuns(): void
	{
		$cache = new CacheAdapter($this->pool);
		$before = self::block('migrate/symfony-cache', 'php before', 'Code');
		self::assertSame(['headline'], eval("use Symfony\\Contracts\\Cache\\ItemInterface; $before return \$value;"));
		self::assertTrue($cache->hasItem('news'));
		$factory = new LockFactory(new LockStore($this->pool));
		$GLOBALS['reports'] = 0;
		eval(self::block('migrate/symfony-cache', 'php before', 'Locks'));
		self::assertSame(1, $GLOBALS['reports']);
		self::assertTrue($factory->createLock('report')->acquire(), 'released');
	}
}

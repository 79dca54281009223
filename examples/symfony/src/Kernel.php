<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace App;

use McPatterns\Adapters\Symfony\{LockStore, RequestEnds, TagAwareCacheAdapter};
use McPatterns\Pool;
use Symfony\Bundle\FrameworkBundle\{FrameworkBundle, Kernel\MicroKernelTrait};
use Symfony\Component\Cache\Adapter\FilesystemAdapter;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Contracts\Cache\{CacheInterface, TagAwareCacheInterface};

use function Symfony\Component\DependencyInjection\Loader\Configurator\{env, service};

/** All of the configuration: a Pool, a cache over it in the place of TagAwareCacheInterface, and locks. */
final class Kernel extends BaseKernel
{
	use MicroKernelTrait;

	public function registerBundles(): iterable
	{
		yield new FrameworkBundle();
	}

	public function getProjectDir(): string
	{
		return dirname(__DIR__);
	}

	private function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', ['secret' => env('APP_SECRET'), 'secrets' => ['enabled' => false], 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
		$services = $container->services();
		$services->defaults()->autowire();

		$services->set(Pool::class)->args([env('MCPATTERNS_SERVERS'), env('MCPATTERNS_PREFIX')]);
		$services->set(TagAwareCacheAdapter::class)->args([service(Pool::class), 'app'])->tag('kernel.reset', ['method' => 'reset']);
		$services->alias(TagAwareCacheInterface::class, TagAwareCacheAdapter::class);
		$services->set(LockStore::class)->args([service(Pool::class), 30.0]);
		$services->set(LockFactory::class)->args([service(LockStore::class)]);
		$services->set(RequestEnds::class)->tag('kernel.event_subscriber');

		// To compare with: what every application has without the adapter, minus its own protection from stampedes.
		$services->set('naive', FilesystemAdapter::class)->args(['', 0, '%kernel.cache_dir%/naive']);
		$services->set(News::class)->args([env('NEWS_JOURNAL')]);
		$services->set(Front::class)->public()->arg('$naive', service('naive'))->tag('controller.service_arguments');
	}

	private function configureRoutes(RoutingConfigurator $routes): void
	{
		$routes->add('cached', '/cached')->controller([Front::class, 'cached']);
		$routes->add('naive', '/naive')->controller([Front::class, 'naive']);
		$routes->add('publish', '/publish')->controller([Front::class, 'publish']);
		$routes->add('digest', '/digest')->controller([Front::class, 'digest']);
		$routes->add('loads', '/loads/{of}')->controller([Front::class, 'loads']);
	}
}

<?php
/* An application of Symfony's that is configured by a block of a page, and shows its services. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

use Symfony\Bundle\FrameworkBundle\{FrameworkBundle, Kernel\MicroKernelTrait};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

final class FrameworkKernel extends Kernel
{
	use MicroKernelTrait;

	private const USES = 'use McPatterns\Adapters\Symfony\{CacheAdapter, LockStore, RequestEnds, TagAwareCacheAdapter};
		use McPatterns\Pool;
		use Symfony\Component\Lock\LockFactory;
		use Symfony\Contracts\Cache\TagAwareCacheInterface;
		use function Symfony\Component\DependencyInjection\Loader\Configurator\{abstract_arg, env, service};';

	/** @param list<string> $shown ids of services that the block makes */
	public function __construct(private readonly string $folder, private readonly string $block, private readonly array $shown)
	{
		parent::__construct('test', false);
	}

	public function service(string $id): object
	{
		return $this->getContainer()->get("shown.$id");
	}

	public function registerBundles(): iterable
	{
		yield new FrameworkBundle();
	}

	public function getProjectDir(): string
	{
		return $this->folder;
	}

	private function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', ['secret' => 'secret', 'http_method_override' => false, 'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
		$services = $container->services();
		eval(self::USES . $this->block);
		$services->set('logger', CollectedLog::class);
		$names = array_combine($this->shown, $this->shown) + ['logger' => 'logger', 'services_resetter' => 'services_resetter', 'clearer' => 'cache.default_clearer', 'locks' => 'lock.factory',
			'autowired' => TagAwareCacheInterface::class . ' $newsCache'];
		foreach ($names as $name => $id) {
			$services->alias("shown.$name", $id)->public();
		}
	}

	private function configureRoutes(RoutingConfigurator $routes): void
	{
	}
}

<?php
/* The adapters as pools of Symfony's: one for pages, with tags, and one for rows, guarded. */
/* SPDX-License-Identifier: MIT */

use McPatterns\Adapters\Symfony\{CacheAdapter, TagAwareCacheAdapter};
use McPatterns\Pool;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Contracts\Cache\TagAwareCacheInterface;

use function Symfony\Component\DependencyInjection\Loader\Configurator\{abstract_arg, env, service};

return static function (ContainerConfigurator $container): void {
	$services = $container->services();
	$services->set(Pool::class)->args([env('MCPATTERNS_SERVERS')]);
	$services->set('cache.adapter.mcpatterns', CacheAdapter::class)->abstract()
		->args([abstract_arg('provider'), '', 0])
		->call('setLogger', [service('logger')->ignoreOnInvalid()])
		->tag('cache.pool', ['provider' => Pool::class, 'clearer' => 'cache.default_clearer', 'reset' => 'reset']);
	$services->set('cache.adapter.mcpatterns_tag_aware', TagAwareCacheAdapter::class)->abstract()->parent('cache.adapter.mcpatterns')
		->arg('$grace', env('MCPATTERNS_GRACE')->int());
	$services->set('cache.adapter.mcpatterns_guarded', CacheAdapter::class)->abstract()->parent('cache.adapter.mcpatterns')
		->arg('$guarded', true);

	$container->extension('framework', ['cache' => [
		'prefix_seed' => 'articles',
		'app' => 'cache.adapter.mcpatterns',
		'pools' => [
			'pages.cache' => ['adapter' => 'cache.adapter.mcpatterns_tag_aware'],
			'rows.cache' => ['adapter' => 'cache.adapter.mcpatterns_guarded'],
		],
	]]);
	$services->alias(TagAwareCacheInterface::class . ' $pagesCache', 'pages.cache');
};

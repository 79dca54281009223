<?php
/* To compare with: the same pools over Symfony's own adapter for memcached. */
/* SPDX-License-Identifier: MIT */

use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;

return static function (ContainerConfigurator $container): void {
	$container->extension('framework', ['cache' => [
		'prefix_seed' => 'articles',
		'default_memcached_provider' => 'memcached://%env(MCPATTERNS_SERVERS)%',
		'app' => 'cache.adapter.memcached',
		'pools' => [
			'pages.cache' => ['adapter' => 'cache.adapter.memcached', 'tags' => true],
			'rows.cache' => ['adapter' => 'cache.adapter.memcached'],
		],
	]]);
};

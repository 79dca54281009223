<?php
/* SPDX-License-Identifier: MIT */

use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;

use function Symfony\Component\DependencyInjection\Loader\Configurator\env;

return static function (ContainerConfigurator $container): void {
	$container->extension('framework', ['secret' => env('APP_SECRET'), 'secrets' => ['enabled' => false], 'http_method_override' => false,
		'handle_all_throwables' => true, 'php_errors' => ['log' => true]]);
};

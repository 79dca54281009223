<?php
/* SPDX-License-Identifier: MIT */

use App\{ArticleController, Articles};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;

use function Symfony\Component\DependencyInjection\Loader\Configurator\env;

return static function (ContainerConfigurator $container): void {
	$services = $container->services()->defaults()->autowire()->autoconfigure();
	$services->set(Articles::class)->args([env('SITE_DATABASE'), env('SITE_JOURNAL')]);
	$services->set(ArticleController::class);
};

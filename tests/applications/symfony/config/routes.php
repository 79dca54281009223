<?php
/* SPDX-License-Identifier: MIT */

use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

return static function (RoutingConfigurator $routes): void {
	$routes->import('../src/ArticleController.php', 'attribute');
};

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Foundation\Application;
use Psr\Log\LoggerInterface;

/** A repository of what config/cache.php says of its store. */
final class RepositoryFactory
{
    /** @param array<array-key, mixed> $config */
    public static function make(Application $app, array $config): Repository
    {
        $log = function (string $message, array $context) use ($app): void {
            $app->make(LoggerInterface::class)->warning($message, $context);
        };
        $settings = new Settings($config + [
            'prefix' => $app->make(Config::class)->get('cache.prefix'),
            'allowed_classes' => $app->make(Config::class)->get('cache.serializable_classes'),
        ], $app->bound(LoggerInterface::class) ? $log : null);
        $repository = new Repository(new Store($settings), $settings->repository());
        if (($config['events'] ?? true) && $app->bound(Dispatcher::class)) {
            $repository->setEventDispatcher($app->make(Dispatcher::class));
        }
        return $repository;
    }
}

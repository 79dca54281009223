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
        $settings = new Settings($config + [
            'prefix' => $app->make(Config::class)->get('cache.prefix'),
            'allowed_classes' => $app->make(Config::class)->get('cache.serializable_classes'),
        ]);
        $pool = $settings->pool();
        if ($settings->isLogging() && $app->bound(LoggerInterface::class)) {
            $pool->onError(fn (string $message, array $context) => $app->make(LoggerInterface::class)->warning($message, $context));
        }
        $store = new Store($pool, $settings->cache($pool), $settings->cache($pool, stale: false), $settings->prefix());
        $repository = new Repository($store, $settings->repository());
        if (($config['events'] ?? true) && $app->bound(Dispatcher::class)) {
            $repository->setEventDispatcher($app->make(Dispatcher::class));
        }
        return $repository;
    }
}

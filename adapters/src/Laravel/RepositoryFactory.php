<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Foundation\Application;
use Psr\Log\LoggerInterface;

/** Creates a repository from its store's settings in config/cache.php. */
final class RepositoryFactory
{
    /** Purpose that is hashed with the application's key, so that the signing key is not used for anything else. */
    private const PURPOSE = 'the cache of mcpatterns';

    /** @param array<array-key, mixed> $config */
    public static function make(Application $app, array $config): Repository
    {
        $log = function (string $message, array $context) use ($app): void {
            $app->make(LoggerInterface::class)->warning($message, $context);
        };
        $laravel = $app->make(Config::class);
        $settings = new Settings(['signing_key' => self::signingKey($laravel, $config['signing_key'] ?? '')] + $config + [
            'prefix' => $laravel->get('cache.prefix'),
            'allowed_classes' => $laravel->get('cache.serializable_classes'),
        ], $app->bound(LoggerInterface::class) ? $log : null);
        $repository = new Repository(new Store($settings), $settings->repository());
        if (($config['events'] ?? true) && $app->bound(Dispatcher::class)) {
            $repository->setEventDispatcher($app->make(Dispatcher::class));
        }
        return $repository;
    }

    /**
     * Derived from APP_KEY and APP_PREVIOUS_KEYS if no key is given. null: values are not signed.
     *
     * @return mixed as Pool takes it
     */
    private static function signingKey(Config $laravel, mixed $given): mixed
    {
        if ($given !== '') {
            return $given === false ? null : $given;
        }
        $previous = $laravel->get('app.previous_keys');
        $keys = [$laravel->get('app.key'), ...(is_array($previous) ? array_values($previous) : [])];
        $secrets = array_filter($keys, fn (mixed $key): bool => is_string($key) && $key !== '');
        // Previous keys do not sign.
        return isset($secrets[0]) ? array_map(fn (string $secret): string => hash_hmac('sha256', self::PURPOSE, $secret), array_values($secrets)) : null;
    }
}

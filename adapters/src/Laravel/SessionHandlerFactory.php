<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Foundation\Application;
use InvalidArgumentException;
use McPatterns\Adapters\Arguments;
use McPatterns\SessionHandler;

/**
 * The session driver: a handler over the Pool of the cache store that config/session.php names. Laravel's Store only
 * calls read and write. In the mode lock, the session is locked between the two.
 */
final class SessionHandlerFactory
{
    /** Laravel serializes an array itself, so the format does not depend on php.ini's settings for PHP's sessions. */
    private const FORMAT = 'php_serialize';
    private const DECIDED = ['pool', 'ttl', 'format'];

    public static function make(Application $app): SessionHandler
    {
        $config = $app->make(Config::class);
        $settings = $config->get('session.mcpatterns');
        $given = (new Arguments("The session's setting"))->of(is_array($settings) ? $settings : [], self::DECIDED, SessionHandler::class);
        $name = $config->get('session.store') ?: 'mcpatterns';
        $store = is_string($name) ? $app->make(CacheManager::class)->store($name)->getStore() : null;
        if (!$store instanceof Store) {
            throw new InvalidArgumentException("The session driver \"mcpatterns\" requires that 'session.store' names a cache store of that driver.");
        }
        return Arguments::make(SessionHandler::class, ['pool' => $store->pool(), 'ttl' => self::ttl($config), 'format' => self::FORMAT] + $given);
    }

    private static function ttl(Config $config): int
    {
        $minutes = $config->get('session.lifetime');
        return is_numeric($minutes) && $minutes > 0 ? (int) ceil($minutes * 60) : throw new InvalidArgumentException("'session.lifetime' must be a number of minutes.");
    }
}

<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Cache\RateLimiter as LaravelsRateLimiter;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\ServiceProvider;

/** The cache driver "mcpatterns", and a store of that name: CACHE_STORE=mcpatterns is all that an application must set. */
final class McPatternsServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__ . '/config.php', 'cache.stores.mcpatterns');
        $this->callAfterResolving('cache', function (CacheManager $manager, Application $app): void {
            $manager->extend('mcpatterns', fn (Application $app, array $config): Repository => RepositoryFactory::make($app, $config));
            self::bindMemoized($app);
        });
        $this->app->extend(LaravelsRateLimiter::class, fn (LaravelsRateLimiter $limiter): LaravelsRateLimiter => RateLimiter::over($limiter));
    }

    /** Cache::memo() asks the container under this name first, and puts its own repository there only when it has none. */
    private static function bindMemoized(Application $app): void
    {
        $stores = $app->make(Config::class)->get('cache.stores');
        foreach (is_array($stores) ? $stores : [] as $name => $config) {
            if (is_array($config) && ($config['driver'] ?? null) === 'mcpatterns') {
                $app->scopedIf("cache.__memoized:$name", function (Application $app) use ($name): MemoizedRepository {
                    $repository = $app->make(CacheManager::class)->store((string) $name);
                    \assert($repository instanceof Repository);
                    return new MemoizedRepository(new MemoizedStore((string) $name, $repository), ['store' => $name]);
                });
            }
        }
    }
}

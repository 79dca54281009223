<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Cache\RateLimiter as LaravelsRateLimiter;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Queue\Events\JobExceptionOccurred;
use Illuminate\Queue\Events\JobFailed;
use Illuminate\Queue\Events\JobProcessed;
use Illuminate\Queue\Jobs\SyncJob;
use Illuminate\Session\SessionManager;
use Illuminate\Support\ServiceProvider;
use McPatterns\Pool;
use McPatterns\SessionHandler;

/** The drivers "mcpatterns" of the cache and of sessions, and a store of that name: an application must only set CACHE_STORE or SESSION_DRIVER. */
final class McPatternsServiceProvider extends ServiceProvider
{
    /** Octane's events, by name, because Octane may not be installed. */
    private const REQUEST_ENDS = ['Laravel\Octane\Events\RequestTerminated', 'Laravel\Octane\Events\TaskTerminated', 'Laravel\Octane\Events\TickTerminated'];
    private const JOB_ENDS = [JobProcessed::class, JobFailed::class, JobExceptionOccurred::class];

    /** In this process. */
    private static bool $hasApplication = false;

    public function register(): void
    {
        $this->endRequests();
        $this->mergeConfigFrom(__DIR__ . '/config.php', 'cache.stores.mcpatterns');
        $this->callAfterResolving('cache', function (CacheManager $manager, Application $app): void {
            $manager->extend('mcpatterns', fn (Application $app, array $config): Repository => RepositoryFactory::make($app, $config));
            self::bindMemoized($app);
        });
        $this->mergeConfigFrom(__DIR__ . '/session.php', 'session.mcpatterns');
        $this->callAfterResolving('session', function (SessionManager $manager): void {
            $manager->extend('mcpatterns', static fn (Application $app): SessionHandler => SessionHandlerFactory::make($app));
        });
        $this->app->extend(LaravelsRateLimiter::class, fn (LaravelsRateLimiter $limiter): LaravelsRateLimiter => RateLimiter::over($limiter));
    }

    /** For processes with several requests: a worker's requests and jobs, and the applications that tests create. */
    private function endRequests(): void
    {
        if (self::$hasApplication) {
            Pool::endRequest();
        }
        self::$hasApplication = true;
        $this->callAfterResolving('events', function (Dispatcher $events): void {
            $events->listen(self::REQUEST_ENDS, static function (): void {
                Pool::endRequest();
            });
            $events->listen(self::JOB_ENDS, static function (JobProcessed|JobFailed|JobExceptionOccurred $event): void {
                // Not for sync jobs, because the request that dispatched the job continues.
                if (!$event->job instanceof SyncJob) {
                    Pool::endRequest();
                }
            });
        });
    }

    /** Cache::memo() looks up this name in the container first, and creates its own repository only if the name is missing. */
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

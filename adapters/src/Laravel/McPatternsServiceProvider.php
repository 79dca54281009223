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

/** The drivers "mcpatterns" of the cache and of sessions, and a store of that name: CACHE_STORE or SESSION_DRIVER is all that an application must set. */
final class McPatternsServiceProvider extends ServiceProvider
{
    /** Octane's events, by name: it need not be there. */
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

    /** Where a process has several: a worker's requests and jobs, and the applications that tests make. */
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
                // Of no worker: the request that has dispatched it goes on.
                if (!$event->job instanceof SyncJob) {
                    Pool::endRequest();
                }
            });
        });
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

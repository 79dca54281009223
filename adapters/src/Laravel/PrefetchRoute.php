<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;
use Illuminate\Cache\CacheManager;
use Illuminate\Http\Request;
use Illuminate\Routing\Route;

/**
 * Middleware that learns for each route what the default store is asked for, and reads it before the controller asks. Its argument: a
 * regular expression, without commas, of keys that are always asked for anew: those that decide about rights.
 */
final class PrefetchRoute
{
    public function __construct(private readonly CacheManager $manager)
    {
    }

    public function handle(Request $request, Closure $next, string $except = ''): mixed
    {
        /** @var ?Route $route */
        $route = $request->route();
        $cache = $this->manager->store();
        if ($route !== null && $cache instanceof Repository) {
            $cache->openRoute($route->getName() ?? $route->uri(), $except);
        }
        return $next($request);
    }

    public function terminate(): void
    {
        $cache = $this->manager->store();
        $cache instanceof Repository && $cache->closeRoute();
    }
}

<?php
/* SPDX-License-Identifier: MIT */

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Foundation\Http\Middleware\InvokeDeferredCallbacks;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(using: fn () => require __DIR__ . '/../routes/web.php')
    ->withMiddleware(fn (Middleware $middleware) => $middleware->use([InvokeDeferredCallbacks::class]))
    ->withExceptions(fn (Exceptions $exceptions) => null)
    ->create();

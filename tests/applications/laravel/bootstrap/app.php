<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use App\Articles;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\{Exceptions, Middleware};
use Illuminate\Foundation\Http\Middleware\InvokeDeferredCallbacks;

return Application::configure(basePath: dirname(__DIR__))
	->withRouting(using: fn () => require __DIR__ . '/../routes/web.php')
	->withMiddleware(fn (Middleware $middleware) => $middleware->use([InvokeDeferredCallbacks::class]))
	->withSingletons([Articles::class => fn (): Articles => new Articles(config('articles.database'), config('articles.journal'))])
	->withExceptions(fn (Exceptions $exceptions) => null)
	->create();

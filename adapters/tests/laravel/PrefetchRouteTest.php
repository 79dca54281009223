<?php
/* What a route's requests ask for is read before the next one asks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Http\{Request, Response};
use Illuminate\Routing\Route;
use Illuminate\Support\Facades\Cache;
use McPatterns\Adapters\Laravel\PrefetchRoute;
use McPatterns\{Metrics, Pool};

final class PrefetchRouteTest extends LaravelTestCase
{
	public function testReadsInOneGoWhatTheRoutesRequestsAskedFor(): void
	{
		foreach (['a', 'b', 'c', 'rights'] as $key) {
			Cache::put($key, $key, 600);
		}
		$trips = [];
		for ($request = 0; $request < 4; $request++) {
			Pool::endRequest();
			$of = Request::create("/shop/$request");
			$route = new Route('GET', '/shop/{number}', fn (): string => '');
			$of->setRouteResolver(fn (): Route => $route);
			$middleware = fn (): PrefetchRoute => new PrefetchRoute($this->app->make(CacheManager::class));
			$before = self::calls();
			$middleware()->handle($of, function (): Response {
				self::assertSame('a', Cache::get('a'));
				self::assertSame('b', Cache::remember('b', 600, fn (): string => 'computed'));
				self::assertSame('c', Cache::flexible('c', [300, 600], fn (): string => 'computed'));
				self::assertSame('rights', Cache::get('rights'));
				return new Response();
			}, '/^rights/');
			$trips[] = self::calls() - $before;
			$middleware()->terminate();
		}
		self::assertGreaterThanOrEqual(4, $trips[0]);
		self::assertLessThanOrEqual(3, $trips[2], 'the list, what is on it, and what is not');
		self::assertLessThanOrEqual(3, $trips[3]);
	}

	private static function calls(): int
	{
		return (int) array_sum(array_column(Metrics::read()['servers'], 'calls'));
	}
}

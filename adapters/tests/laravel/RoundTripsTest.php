<?php
/* How often a call asks memcached, over Direct. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\RateLimiter;
use Illuminate\Support\Facades\{Cache, Facade};
use McPatterns\Pool;

require_once __DIR__ . '/../../../tests/_support/round_trips.inc';

final class RoundTripsTest extends LaravelTestCase
{
	/** As often as Laravel's own driver for memcached, but for increment(): 1, and a missing value: 2. */
	public function testAsksAsOftenAsItMust(): void
	{
		$counted = count_round_trips([self::$memcached], function (array $addresses, callable $mark): void {
			$this->app = $this->application(['transport' => 'direct', 'servers' => $addresses[0]]);
			Facade::clearResolvedInstances();
			Facade::setFacadeApplication($this->app);
			$limiter = $this->app->make(RateLimiter::class);
			$calls = [
				'put' => fn (int $number) => Cache::put("key $number", 'value', 600),
				'get' => fn () => Cache::get('key 1'),
				'add' => fn (int $number) => Cache::add("new $number", 'value', 600),
				'add of a taken key' => fn () => Cache::add('key 1', 'value', 600),
				'remember' => fn () => Cache::remember('key 1', 600, fn (): string => 'value'),
				'remember of a missing value' => fn (int $number) => Cache::remember("cold $number", 600, fn (): string => 'value'),
				'putMany' => fn () => Cache::putMany(['a' => 1, 'b' => 2, 'c' => 3], 600),
				'increment' => fn () => Cache::increment('number'),
				'get of a number' => fn () => Cache::get('number'),
				'hit' => fn () => $limiter->hit('key'),
				'tooManyAttempts' => fn () => $limiter->tooManyAttempts('key', 100),
				'remaining' => fn () => $limiter->remaining('key', 100),
			];
			foreach ($calls as $name => $call) {
				for ($number = 0; $number < 4; $number++) {
					Pool::endRequest();
					$mark('before');
					$call($number);
				}
				$mark($name);
			}
		});
		unset($counted['before']);
		self::assertSame([
			'put' => 1,
			'get' => 1,
			'add' => 1,
			'add of a taken key' => 1,
			'remember' => 1,
			'remember of a missing value' => 3,
			'putMany' => 2,
			'increment' => 2,
			'get of a number' => 1,
			'hit' => 3,
			'tooManyAttempts' => 1,
			'remaining' => 1,
		], $counted);
	}
}

<?php
/* Laravel's time travel, in a test case of Laravel's own over a server in memory, and what ends by the extension's clock. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Laravel;

use Illuminate\Cache\CacheServiceProvider;
use Illuminate\Config\Repository as Config;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Testing\TestCase;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\{Cache, Facade};
use McPatterns\Adapters\Laravel\{ClockFollowsCarbon, McPatternsServiceProvider};
use McPatterns\Clock;

final class ClockFollowsCarbonTest extends TestCase
{
	use ClockFollowsCarbon;

	public function createApplication(): Application
	{
		$app = new Application('/nonexistent');
		$app->instance('config', new Config(['cache' => ['default' => 'mcpatterns', 'prefix' => '',
			'stores' => ['mcpatterns' => ['driver' => 'mcpatterns', 'servers' => 'memory://' . bin2hex(random_bytes(6))]]]]));
		foreach ([EventServiceProvider::class, CacheServiceProvider::class, McPatternsServiceProvider::class] as $provider) {
			$app->register($provider);
		}
		Facade::clearResolvedInstances();
		Facade::setFacadeApplication($app);
		$app->boot();
		return $app;
	}

	protected function tearDown(): void
	{
		parent::tearDown();
		self::assertEqualsWithDelta(microtime(true), Clock::now(), 5, 'the next test has the system\'s time');
	}

	public function testEndsWhatIsPassedByATravel(): void
	{
		Cache::put('key', 'value', 60);
		$this->travel(59)->seconds();
		self::assertSame('value', Cache::get('key'));
		$this->travel(2)->seconds();
		self::assertNull(Cache::get('key'));
		self::assertSame('new', Cache::remember('key', 60, fn () => 'new'));
		$this->travelTo(Carbon::now()->addHours(1));
		self::assertFalse(Cache::has('key'));
	}

	public function testEndsALockWithoutAnyEventOfTheCache(): void
	{
		self::assertTrue(Cache::lock('import', 60)->get());
		self::assertFalse(Cache::lock('import', 60)->get());
		$this->travel(2)->minutes();
		self::assertTrue(Cache::lock('import', 60)->get());
	}

	public function testStandsStillInAFrozenTimeAndComesBack(): void
	{
		$frozen = $this->freezeTime();
		self::assertEqualsWithDelta($frozen->getPreciseTimestamp(3) / 1000, Clock::now(), 0.0015);
		self::assertSame(Clock::now(), Clock::now());
		$this->travel(1)->days();
		self::assertEqualsWithDelta(microtime(true) + 86400, Clock::now(), 60);
		$this->travelBack();
		self::assertEqualsWithDelta(microtime(true), Clock::now(), 60);
	}

	public function testIsThereOnlyWhileACallbackRuns(): void
	{
		Cache::put('key', 'value', 60);
		$seen = fn (): array => [Cache::get('key'), Clock::now() - microtime(true) > 3600];
		self::assertSame(['value', false], $seen());
		self::assertSame([null, true], $this->travel(1)->days($seen));
		self::assertSame([null, true], $this->travelTo(Carbon::now()->addDay(), $seen));
		self::assertEqualsWithDelta(microtime(true), Clock::now(), 60);
		try {
			$this->travel(1)->days($this->failing(...));
			self::fail('no exception');
		} catch (\DomainException) {
			$this->travelBack();
		}
		self::assertEqualsWithDelta(microtime(true), Clock::now(), 60);
	}

	private function failing(): int
	{
		throw new \DomainException();
	}

	public function testFollowsWhoeverSetsCarbonItselfByTheCachesEvents(): void
	{
		Cache::put('key', 'value', 60);
		Carbon::setTestNow(Carbon::now()->addMinutes(2));
		self::assertNull(Cache::get('key'));
		Carbon::setTestNow();
		Cache::put('key', 'value', 60);
		self::assertEqualsWithDelta(microtime(true), Clock::now(), 60);
		Carbon::setTestNow(Carbon::now()->addMinutes(2));
		self::followCarbon();
		self::assertEqualsWithDelta(microtime(true) + 120, Clock::now(), 60);
	}
}

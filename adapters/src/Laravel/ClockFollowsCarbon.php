<?php
/* For an application's tests: the extension's clock goes where Laravel's time travel goes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Events\{ForgettingKey, RetrievingKey, RetrievingManyKeys, WritingKey, WritingManyKeys};
use Illuminate\Foundation\Testing\Wormhole;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Event;
use McPatterns\Clock;

/**
 * Of a test case of Laravel's. travel(), travelTo(), freezeTime(), freezeSecond() and travelBack() move Clock, and with it what ends
 * by it: values, locks, limits, and servers `memory://`. Whoever calls Carbon::setTestNow() itself is followed at the next
 * event of a cache, or by followCarbon(). A memcached server has a clock of its own.
 *
 * @phpstan-require-extends \Illuminate\Foundation\Testing\TestCase
 */
trait ClockFollowsCarbon
{
	/** Called by Laravel once the application is there. */
	protected function setUpClockFollowsCarbon(): void
	{
		Event::listen([RetrievingKey::class, RetrievingManyKeys::class, WritingKey::class, WritingManyKeys::class, ForgettingKey::class], self::followCarbon(...));
	}

	/** Called by Laravel before the application goes. */
	protected function tearDownClockFollowsCarbon(): void
	{
		Clock::unfreeze();
	}

	/**
	 * @param int $value
	 * @return Wormhole
	 */
	public function travel($value)
	{
		return new class($value, self::followCarbon(...)) extends Wormhole {
			/** @param int $value */
			public function __construct($value, private readonly \Closure $follow)
			{
				parent::__construct($value);
			}

			/**
			 * @param callable|null $callback
			 * @return mixed
			 */
			protected function handleCallback($callback)
			{
				($this->follow)();
				try {
					return parent::handleCallback($callback);
				} finally {
					($this->follow)();
				}
			}
		};
	}

	/**
	 * @param \DateTimeInterface|\Closure|string|bool|null $date
	 * @param callable|null $callback
	 * @return mixed
	 */
	public function travelTo($date, $callback = null)
	{
		$following = $callback === null ? null : function (mixed $date) use ($callback): mixed {
			self::followCarbon();
			return $callback($date);
		};
		try {
			return parent::travelTo($date, $following);
		} finally {
			self::followCarbon();
		}
	}

	/** @return \DateTimeInterface */
	public function travelBack()
	{
		$now = parent::travelBack();
		self::followCarbon();
		return $now;
	}

	protected static function followCarbon(): void
	{
		Carbon::hasTestNow() ? Clock::freeze(Carbon::now()->getPreciseTimestamp(3) / 1000) : Clock::unfreeze();
	}
}

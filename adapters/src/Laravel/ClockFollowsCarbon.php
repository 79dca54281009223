<?php
/* For tests of an application: the extension's clock follows Laravel's time travel. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Illuminate\Cache\Events\{ForgettingKey, RetrievingKey, RetrievingManyKeys, WritingKey, WritingManyKeys};
use Illuminate\Foundation\Testing\Wormhole;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Event;
use McPatterns\Clock;

/**
 * For test cases of Laravel. travel(), travelTo(), freezeTime(), freezeSecond() and travelBack() also move Clock, which
 * determines the expiry of values, locks, limits, and `memory://` servers. After a direct call of Carbon::setTestNow(),
 * the clock follows at the next cache event, or by followCarbon(). A memcached server has its own clock.
 *
 * @phpstan-require-extends \Illuminate\Foundation\Testing\TestCase
 */
trait ClockFollowsCarbon
{
	/** Laravel calls this after the application was created. */
	protected function setUpClockFollowsCarbon(): void
	{
		Event::listen([RetrievingKey::class, RetrievingManyKeys::class, WritingKey::class, WritingManyKeys::class, ForgettingKey::class], self::followCarbon(...));
	}

	/** Laravel calls this before the application is destroyed. */
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

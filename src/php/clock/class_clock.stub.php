<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Controls the clock that mcpatterns uses, for tests of an application.
 *
 * TTLs, claims, locks and memory:// servers follow this clock, so values expire without sleeping. A real memcached
 * server has its own clock, which is not affected. PHP's time() is not affected, either: code that must follow the
 * test's clock calls now(). Changes apply only to this process (this thread), until the end of the request. No network
 * access. See docs/classes/clock.md and docs/start/testing.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Clock
{
    private function __construct() {}

    /**
     * Returns the time as mcpatterns sees it: the system's time, or the frozen or advanced time.
     *
     * @return float The Unix time in seconds, to the millisecond.
     */
    public static function now(): float {}

    /**
     * Stops the clock. While it is stopped, a call that would wait advances the clock instead of sleeping.
     *
     * If $at is later than the clock's time, freeze() acts like advance(): everything whose time ends before $at
     * expires, including held locks. If $at is earlier, expired values and locks remain expired.
     *
     * @param float|null $at Unix time in seconds. null: the current time of the clock.
     *
     * @throws \ValueError if $at is negative, not finite or after the year 9999.
     */
    public static function freeze(?float $at = null): void {}

    /**
     * Advances the clock, whether it is frozen or running.
     *
     * @param float $seconds Time to advance, 0 or more, fractions included.
     *
     * @throws \ValueError if $seconds is negative or not finite, or the new time is after the year 9999.
     */
    public static function advance(float $seconds): void {}

    /**
     * Sets the clock to the system's time again. A change of the time has the same effects as with freeze().
     */
    public static function unfreeze(): void {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Controls the clock that mcpatterns uses, for an application's tests.
 *
 * TTLs, claims, locks and memory:// servers follow this clock, so values expire without sleeping. A real memcached
 * server has its own clock and does not follow. PHP's time() never changes: code that must follow the test's clock
 * calls now(). Only this process (this thread) is affected, until the end of the request. No network access. See
 * docs/classes/clock.md and docs/start/testing.md.
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
     * Stops the clock. A call that would wait then moves the clock on instead of sleeping.
     *
     * If $at is later than the clock has shown, it acts like advance(): everything that ends by then expires, held
     * locks too. If $at is earlier, it restores nothing that has expired.
     *
     * @param float|null $at Unix time in seconds. null: the present moment.
     *
     * @throws \ValueError if $at is negative, not finite or after the year 9999.
     */
    public static function freeze(?float $at = null): void {}

    /**
     * Moves the clock on, whether it is frozen or running.
     *
     * @param float $seconds Time to move on, 0 or more, fractions included.
     *
     * @throws \ValueError if $seconds is negative or not finite, or leads beyond the year 9999.
     */
    public static function advance(float $seconds): void {}

    /**
     * Sets the clock to the system's time again. If that is later or earlier, it acts like freeze() at that time.
     */
    public static function unfreeze(): void {}
}

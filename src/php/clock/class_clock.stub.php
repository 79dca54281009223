<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * The clock that McPatterns looks at, for an application's tests: stop it, move it on, and see values
 * expire without sleeping. Soft expiry, claims, locks and memory:// servers follow it; a real
 * memcached server has a clock of its own and does not. PHP's own time() never changes: code that is to
 * follow the test's clock asks now().
 *
 * Only this process (this thread) is affected, and only until the end of the request.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Clock
{
    private function __construct() {}

    /**
     * The time as McPatterns sees it, in seconds since 1970, to the millisecond: the system's, or the one
     * that was frozen or advanced. For an application's own code that is to follow a test's clock.
     */
    public static function now(): float {}

    /**
     * Stops the clock at $at, a Unix time in seconds, or at the present moment. Whatever would wait
     * then moves the clock on instead of sleeping. A later time than the clock has shown is as if it had
     * been advanced: what was to end until then has ended, held locks too. An earlier one gives nothing
     * back. $at that is negative, not finite or beyond the year 9999 is a ValueError.
     */
    public static function freeze(?float $at = null): void {}

    /**
     * Moves the clock $seconds on, frozen or running. Negative, not finite, or beyond the year 9999:
     * ValueError.
     */
    public static function advance(float $seconds): void {}

    /** Back to the system's time: earlier or later, as freeze() would go there. */
    public static function unfreeze(): void {}
}

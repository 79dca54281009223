<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Measures how often a Cache serves a value that differs from the recomputed value.
 *
 * A sample of the fresh values that remember() serves is recomputed after the response. Each recomputed value is
 * compared with the served value. The results are in Metrics and Cache::stats(). An Audit never stores values or takes
 * claims. It works as long as the Audit object exists.
 *
 * At most one value per request is checked, after the rebuilds of Refresh::AfterResponse. Checks run after the response
 * if the SAPI can finish it early (PHP-FPM, LiteSpeed, FrankenPHP), in Pool::endRequest() of a worker, and at the end
 * of a command-line script.
 *
 * After a check that took more than 100 ms, the process pauses checks for 9 times as long. A check costs 1 computation
 * and 1 round trip, and 1 more round trip if the values differ. See docs/classes/audit.md.
 *
 * @strict-properties
 * @not-serializable
 */
final class Audit
{
    /**
     * Starts to audit a cache. No network access.
     *
     * A Cache and its tagged() views share one Audit. A new Audit replaces the previous Audit, which then stops.
     *
     * @param Cache $cache Cache whose fresh hits are sampled. If it is a tagged() view, the underlying Cache is
     *        audited.
     * @param float|null $rate Probability that a fresh hit is sampled, 0 to 1. null: 0.001.
     * @phpstan-param (callable(mixed $cached, mixed $computed): bool)|null $compare
     *        Returns whether the served and the recomputed value are equal. null: they are equal if they would be
     *        stored as the same bytes. An exception from $compare or from the computation is reported to
     *        Pool::onError(), written to the error log, and counted as a failed check.
     *
     * @throws \ValueError if $rate is out of range.
     */
    public function __construct(Cache $cache, ?float $rate = null, ?callable $compare = null) {}
}

<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Measures how consistent a Cache is.
 *
 * A sample of the fresh values that remember() serves is recomputed after the response and compared with the served
 * value. The results are in Metrics and Cache::stats(). An Audit stores nothing, takes no claim, and audits as long as
 * the object exists.
 *
 * At most one value per request is checked, after the rebuilds of Refresh::AfterResponse. Checks run where the response
 * has an end (PHP-FPM, LiteSpeed, FrankenPHP), in Pool::endRequest() of a worker, and at the end of a command-line
 * script.
 *
 * After a check of more than 100 ms, the process makes none for nine times as long. A check costs 1 computation and 1
 * round trip, and 1 more round trip if the values differ. See docs/classes/audit.md.
 *
 * @strict-properties
 * @not-serializable
 */
final class Audit
{
    /**
     * Starts to audit a cache. No network access.
     *
     * A Cache and its tagged() views have one Audit. A later Audit replaces the earlier one, which then audits nothing.
     *
     * @param Cache $cache Cache whose fresh hits are sampled. For a tagged() view: the Cache that it is a view of.
     * @param float|null $rate Probability that a fresh hit is sampled, 0 to 1. null: 0.001.
     * @phpstan-param (callable(mixed $cached, mixed $computed): bool)|null $compare
     *        Returns whether the served and the recomputed value are equal. null: they are if they would be stored as
     *        the same bytes. An exception of $compare or of the computation is reported to Pool::onError(), written to
     *        the error log, and counted as a failed check.
     *
     * @throws \ValueError if $rate is out of range.
     */
    public function __construct(Cache $cache, ?float $rate = null, ?callable $compare = null) {}
}

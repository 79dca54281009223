<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Measures how consistent a Cache is: of so many fresh values that its remember() serves one is computed anew when the
 * response is over, and compared with what was served. The results are in Metrics and Cache::stats(). It stores nothing,
 * takes no claim, and audits for as long as the object lives.
 *
 * At most one value is checked for each request, after what Refresh::AfterResponse has to do: where the response has an end
 * (php-fpm, LiteSpeed, FrankenPHP), in Pool::endRequest() of a worker, and at the end of a command's script. A check costs
 * one computation and one round trip, and one more where the values differ. After a check of more than 100 ms this
 * process makes none for nine times as long.
 *
 * @strict-properties
 * @not-serializable
 */
final class Audit
{
    /**
     * Asks no server. The Cache has one Audit: a later one takes the place of an earlier one, which audits no more. Of a
     * tagged() view it is its Cache's.
     *
     * $rate, 0 to 1: so large a part of the fresh hits is drawn; null: 0.001. $compare is given what was served and what
     * was computed, and says whether they are the same; null: they are if they would be stored as the same bytes. What the
     * computation or $compare throws is told to Pool::onError(), written to the error log, and counted as a failed check.
     *
     * @phpstan-param (callable(mixed $cached, mixed $computed): bool)|null $compare
     */
    public function __construct(Cache $cache, ?float $rate = null, ?callable $compare = null) {}
}

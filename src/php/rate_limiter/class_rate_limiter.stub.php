<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Admits at most N attempts per period, counted over all processes and hosts that use the same memcached.
 *
 * For example: requests of a client, logins to an account, emails per hour. The reply of one atomic command decides
 * whether an attempt is admitted, so concurrent attempts never exceed the limit. For each period and algorithm, all
 * processes that use a name must use the same limit, slots and burst. All hosts need synchronized clocks. Stored
 * numbers expire without cleanup.
 *
 * Methods throw ServerException if the server is down or does not reply. In that case, admit or reject the attempt as
 * your application requires, or set $whenDown. If a stored value is not a number, methods throw StoredValueException
 * until the value expires or reset() removes it. See docs/classes/rate-limiter.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class RateLimiter
{
    /**
     * Creates a rate limiter object. No network access.
     *
     * @param int $limit Maximum number of attempts per period, at least 1.
     * @param int|float $period Seconds, greater than 0, up to 4294967. At least 0.1 except for TokenBucket. Not
     *        milliseconds: 60000 is 16 hours and 40 minutes.
     * @param Limiting|null $algorithm See Limiting. null: SlidingWindow.
     * @param int $slots Number of slots into which the period is divided, 1 to 1000, each at least 0.1 s long. Used
     *        only by SlidingWindow. A steady stream of attempts gets `slots / (slots + 1)` of the limit.
     * @param int|null $burst Maximum number of simultaneous attempts after a pause. Only for TokenBucket. null: the
     *        limit.
     * @param bool|null $whenDown Result of attempt() instead of a ServerException. true admits all attempts, false
     *        rejects all attempts. null: methods throw. With true, remaining() returns the limit (TokenBucket: the
     *        burst) and availableIn() returns 0.0. With false, remaining() returns 0, and availableIn() returns the
     *        period. Metrics counts each use of $whenDown, and Pool::onError() reports uses at most once a second per
     *        server. reset() always throws.
     *
     * @throws \ValueError if $name is empty or an option is out of range, or if $burst is set for another algorithm.
     * @throws \TypeError if $whenDown is neither bool nor null, even without strict_types.
     */
    public function __construct(Pool $pool, string $name, int $limit, int|float $period, ?Limiting $algorithm = null, int $slots = 10, ?int $burst = null, ?bool $whenDown = null) {}

    /**
     * Returns whether an attempt is admitted, and counts it if it is.
     *
     * A rejected attempt is not counted, except by FixedWindow.
     *
     * Cost: FixedWindow 1 round trip, 2 for the first attempt of a period. SlidingWindow 2 (rarely 3), or 1 if
     * rejected. TokenBucket 2, or 1 if rejected, and 2 more for each time that another attempt came first.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     * @param int $cost Number of attempts that this attempt counts as, 1 to the limit (TokenBucket: the burst).
     *
     * @return bool true if the attempt is within the limit of $who.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the attempt might have been counted. Also if the process was paused for more than 3 slots, or if 64 other
     *        attempts changed a TokenBucket first. In these 2 cases, the attempt is not counted.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \ValueError if $cost is out of range.
     *
     * @no-discard
     */
    public function attempt(string $who = '', int $cost = 1): bool {}

    /**
     * Returns how many more attempts are within the limit of $who now. Does not count an attempt.
     *
     * By the time of the next attempt, the number can be smaller.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function remaining(string $who = ''): int {}

    /**
     * Returns the seconds until $cost more attempts are within the limit of $who. Does not count an attempt.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     * @param int $cost Number of attempts, 1 to the limit (TokenBucket: the burst).
     *
     * @return float The seconds, provided that no other attempt is admitted in the meantime. 0.0: now.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \ValueError if $cost is out of range.
     */
    public function availableIn(string $who = '', int $cost = 1): float {}

    /**
     * Deletes the attempts of $who that were counted before the call.
     *
     * The cost of an attempt that is rejected at the same moment can be subtracted from later counts.
     *
     * Cost: SlidingWindow 1 round trip, and 1 for each slot with a count. TokenBucket 1. FixedWindow at most 2.
     *
     * @param string $who The limited party, any string. Empty: one limit for all.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function reset(string $who = ''): void {}
}

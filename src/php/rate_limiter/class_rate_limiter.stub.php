<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * At most so many in so much time, among all processes and hosts that use the same memcached: requests of a client,
 * logins to an account, mails an hour.
 *
 * Whether an attempt is within the limit is decided by the answer of one atomic command, so no number of attempts at
 * once gets past it. All that use one name must give it the same limit, period, `how`, slots and burst, and their
 * clocks must agree. The numbers end by themselves. Every method throws ServerException when the server could not be
 * reached or did not answer: "could not ask" is neither yes nor no, and whether that lets in is yours to decide, there or by
 * $whenDown. What is
 * stored and is no number is a StoredValueException, until it has ended or reset() takes it away.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class RateLimiter
{
    /**
     * Asks no server. $limit attempts in $period seconds, at most 4294967. Not milliseconds: 60000 are 16 hours and 40 minutes.
     *
     * $algorithm: see Limiting; null: SlidingWindow. $slots, 1 to 1000, for Limiting::SlidingWindow alone: into how many parts the period is cut, each
     * at least 0.1 s long; the limit can be used up steadily at `slots` in `slots + 1` of its rate. $burst, for
     * Limiting::TokenBucket alone: how many at once after a while without any; null: the limit.
     *
     * $whenDown: what attempt() answers where it would throw ServerException: true lets everybody in, false nobody; anything but
     * these and null is a TypeError, also without strict_types.
     * remaining() is then the limit (TokenBucket: the burst) or 0, availableIn() 0.0 or the period. Each such answer is told to
     * Pool::onError() and counted by Metrics. Null: they throw; reset() always does.
     */
    public function __construct(Pool $pool, string $name, int $limit, int|float $period, ?Limiting $algorithm = null, int $slots = 10, ?int $burst = null, ?bool $whenDown = null) {}

    /**
     * True when this is still within the limit of $who, and counts it; $who is any string, '' where one limit is for
     * all. $cost, at most the limit (TokenBucket: the burst), counts as so many. A refused attempt does not count, but in a
     * FixedWindow it does.
     *
     * ServerException: it could not be asked; when the answer did not come, it may have counted. Also, and then
     * nothing was counted: the process stood still over the ends of three slots, or 64 others came in between in a
     * TokenBucket. FixedWindow: 1 round trip, 2 for its first. SlidingWindow: 2, refused 1, rarely 3. TokenBucket: 2, refused 1.
     *
     * @no-discard
     */
    public function attempt(string $who = '', int $cost = 1): bool {}

    /**
     * How many more are within the limit of $who now; counts nothing. What an attempt finds a moment later may be
     * less. 1 round trip for each 8,000 bytes of keys.
     *
     * @phpstan-return int<0, max>
     */
    public function remaining(string $who = ''): int {}

    /**
     * After how many seconds so much more is within the limit of $who, if none is admitted until then; 0.0: now. Counts nothing.
     * $cost, from 1 to the limit (TokenBucket: the burst), counts as so many, as attempt() has it; another one is a ValueError. 1 round
     * trip for each 8,000 bytes of keys.
     */
    public function availableIn(string $who = '', int $cost = 1): float {}

    /**
     * Forgets what was counted for $who before the call. A refused attempt at the same moment may take its cost from
     * what is counted after it. 1 round trip, and 1 for each slot that counted something; TokenBucket and FixedWindow at most 2.
     */
    public function reset(string $who = ''): void {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Counts the distinct visitors of the last few seconds or minutes ("N people are looking at this now").
 *
 * Time is divided into slots, each with its own counter. The number is the sum of the current slot and of a window of
 * slots before it (A. Smirnov, "Web, caching and memcached", 2008).
 *
 * A visitor counts only in the slot of the visitor's last hit, so a visitor who returns within the window counts once.
 * A visitor who leaves is counted for at least one window, and at most one window plus one slot.
 *
 * All processes that use a name must use the same window and slots, and their clocks must agree to within 1 s. Methods
 * throw ServerException if a server is down or does not reply, unless $whenDown is set. They never return a partial
 * number as if it were the whole. See docs/classes/online-counter.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class OnlineCounter
{
    /**
     * Creates an online counter object. No network access.
     *
     * @param int $window Length of the window in seconds. It must be divisible by $slots.
     * @param int $slots Number of slots into which the window is divided, 1 to 86400. More slots make count() more
     *        exact, but visitors change slots more often. With 1 slot, only two keys are used.
     * @param int|null $whenDown Number that count() returns instead of throwing ServerException, for a page that only
     *        displays the number. If a server is down, increment() then does nothing, hit() returns false, and
     *        perSlot() returns an empty array. null: the methods throw. Metrics counts each use of $whenDown,
     *        and Pool::onError() reports uses at most once a second per server.
     *
     * @throws \ValueError if $name is empty, $slots is out of range, or $window is not a multiple of $slots.
     */
    public function __construct(Pool $pool, string $name, int $window = 300, int $slots = 5, ?int $whenDown = null) {}

    /**
     * Counts visits that the caller knows to be unique.
     *
     * Cost: 1 round trip; 2 for the first call in a slot.
     *
     * @param int $by Number of visits, 0 or more.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the visits might have been counted.
     * @throws StoredValueException if the stored value is not a number.
     * @throws \ValueError if $by is negative.
     */
    public function increment(int $by = 1): void {}

    /**
     * Counts a visitor in the current slot, and no longer in the slot of the visitor's previous hit.
     *
     * If a visitor sends several concurrent requests, one request counts the visitor, and the others undo their counts.
     * The call is not atomic, so a visitor who changes slots is briefly counted twice. After a failed hit or a killed
     * process, the visitor can count twice until the previous slot leaves the window. The visitor's next hit is counted
     * in any case.
     *
     * Cost: 1 round trip if the visitor was already counted in this slot, 3 for a new visitor, 4 for a visitor who
     * changes slots. The first visitor of a slot costs 1 more. Over Transport::Direct, 2 for a new visitor if the items
     * of the slot and the visitor are on one server.
     *
     * @param string $visitor Any string, of any length. A hash of the string is stored.
     *
     * @return bool true if the number did not include the visitor before the call.
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not valid.
     */
    public function hit(string $visitor): bool {}

    /**
     * Returns the number of visitors.
     *
     * The number is the sum of the current slot and the `slots` slots before it, so it covers one window plus up to one
     * slot.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys: 1 for 240 slots, 4 for 1,440.
     *
     * @param bool $smooth true: an estimate for exactly one window, with the matching share of the oldest slot. The
     *        number then changes gradually.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function count(bool $smooth = false): int {}

    /**
     * Returns the number of visitors of each slot, newest first: the current slot, then the past slots.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys.
     *
     * @phpstan-return array<int, int<0, max>>
     *        The number of visitors whose last hit was in the slot, by the slot's start (Unix time).
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a number.
     */
    public function perSlot(): array {}
}

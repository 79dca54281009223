<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Estimates the number of distinct visitors in a window of time, with a few kilobytes per slot of time.
 *
 * For example: readers of an article today, or of all articles of a section. Visitors who return count once. For
 * visitors who are present now, use OnlineCounter.
 *
 * The estimate uses HyperLogLog (Flajolet et al. 2007) with the estimator of O. Ertl (2017). A hit can be repeated,
 * duplicated, delayed or reordered without changing the number. Each slot stores a sketch: data derived from a hash of
 * each visitor, keyed by the last `signingKey` of the Pool. Without a key, an attacker can inflate the number with
 * chosen names, and guess short names.
 *
 * All processes that use a name must use the same window, slots and precision, and their clocks must agree to within 1
 * s. Methods throw ServerException if a server is down or does not reply, unless $whenDown is set. They never return a
 * partial number as if it were the whole. See docs/classes/unique-visitors.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class UniqueVisitors
{
    /**
     * Creates a unique visitors object. No network access.
     *
     * @param int $window Length of the window in seconds. It must be divisible by $slots.
     * @param int $slots Number of slots into which the window is divided, 1 to 1000, including the current slot. 1 slot
     *        of a day is the current day in UTC. 24 slots are the last 23 to 24 hours.
     * @param int $precision 4 to 14. The standard error is `1.04 / sqrt(2 ** $precision)`: ±26 % at 4 with 12 bytes per
     *        slot, ±1.6 % at 12 with 3 KB, ±0.8 % at 14 with 12 KB.
     * @param int|null $whenDown Number that count() returns instead of throwing ServerException, for a page that only
     *        displays the number. If a server is down, hit() then does nothing, and perSlot() returns an empty array.
     *        null: the methods throw. Metrics counts each use of $whenDown, and Pool::onError() reports uses at most
     *        once a second per server. reset() always throws.
     *
     * @throws \ValueError if $name is empty, $slots or $precision is out of range, or $window is not a multiple of
     *        $slots.
     */
    public function __construct(Pool $pool, string $name, int $window = 86400, int $slots = 24, int $precision = 12, ?int $whenDown = null) {}

    /**
     * Counts a visitor. hit() does not report whether the visitor is new.
     *
     * If the reply is lost, the hit is sent again. After a ServerException, the call can be repeated without harm. A
     * process caches its knowledge of a slot for 60 s. If the slot is evicted, the visitors that the process knows are
     * missing from the number for that time.
     *
     * Cost: 0 round trips if the process knows that the hit changes nothing, otherwise 1. The first hit of a slot costs
     * 2. Every 256th hit that a process sends costs 2 more.
     *
     * @param string $visitor Any string, of any length.
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if the slot's item is full or has another precision, or if the server has no memory
     *        for the hit.
     */
    public function hit(string $visitor): void {}

    /**
     * Returns the estimated number of distinct visitors in the window that ends now.
     *
     * Cost: 1 round trip per object and per 8,000 bytes of keys, and 1 for each slot whose appended hits are folded
     * into its sketch.
     *
     * @phpstan-param UniqueVisitors ...$others
     *        Further objects. The result is for the union, in which a visitor counts once. The objects can have
     *        different names, windows and Pools. Precision and signing key must be the same. This object's $whenDown
     *        applies.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a sketch of this precision. The call throws until reset()
     *        removes the value, or until its slot has left the window.
     * @throws \ValueError if an object has another precision.
     */
    public function count(UniqueVisitors ...$others): int {}

    /**
     * Returns the estimated number of visitors of each slot, newest first, including the current slot.
     *
     * A visitor who came in two slots is counted in both.
     *
     * Cost: as for count().
     *
     * @phpstan-return array<int, int<0, max>>
     *        The number of visitors, by the slot's start (Unix time).
     *
     * @throws ServerException if a server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if a stored value is not a sketch of this precision.
     */
    public function perSlot(): array {}

    /**
     * Deletes all visitors of the window that ends now, including values that other clients stored under a slot's key.
     *
     * Other processes use their cached knowledge of a slot for up to 60 s more. Visitors that these processes know are
     * missing from the number for that time. After a ServerException, call reset() again.
     *
     * Cost: 1 round trip per slot; over Transport::Direct 1 per server.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function reset(): void {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * How many different visitors there were in the last seconds or minutes ("N people are looking at this now").
 *
 * Time is cut into slots, each with a counter of its own, and the number is the sum of a window of them, the slot
 * that is going on included (A. Smirnov, "Web, caching and memcached", 2008; slots are named by their absolute
 * number). A visitor is counted in one slot, that of his last hit. So a visitor who comes back within the window is in every
 * number once, and one who is gone leaves it between one window and one window and a slot later.
 *
 * All processes that use one name must give it the same window and slots, and their clocks
 * must agree to a second. Every method throws ServerException when a server could not be reached or
 * did not answer, unless $whenDown is given: a part of an answer is never shown as the whole.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class OnlineCounter
{
    /**
     * Asks no server. $window: seconds that the number covers; $slots: in how many parts, up to 86400.
     * The window must be divisible by them: otherwise a ValueError. More slots make count() more exact, and let a visitor change slots
     * more often. 1 slot is the smallest form, with two keys.
     *
     * $whenDown: what count() answers where it would throw ServerException, for a number that a page only shows; increment()
     * returns then, hit() answers false, perSlot() []. Each such answer is told to Pool::onError() and counted by Metrics.
     * Null: they throw.
     */
    public function __construct(Pool $pool, string $name, int $window = 300, int $slots = 5, ?int $whenDown = null) {}

    /** Counts $by visits that the caller knows to be unique. 1 round trip; 2 for the first of a slot. */
    public function increment(int $by = 1): void {}

    /**
     * Counts this visitor in the slot that is going on, and no longer in the slot of his last hit. True when the number did
     * not have him before. $visitor is any string of any length; it is stored as a hash. Of several requests of one
     * visitor at once one counts, the others take themselves back.
     *
     * Not atomic: while a visitor changes slots he is in the number twice for a moment. After a hit that failed, or whose process was
     * killed, he may be in it twice until the older slot has left the window, and his next hit counts him in any case. 1 round trip for a visitor who was
     * counted in this slot already, 3 for a new one, 4 for one who changes slots, and 1 more for the first of a slot.
     */
    public function hit(string $visitor): bool {}

    /**
     * The number: the sum of the slot that is going on and of the `slots` that have ended, so of one window at least and one window and
     * a slot at most. $smooth: an estimate for one window, with the matching share of the oldest slot; it moves evenly.
     * 1 round trip per server and 8,000 bytes of keys: 240 slots are 1, 1440 are 4.
     *
     * @phpstan-return int<0, max>
     */
    public function count(bool $smooth = false): int {}

    /**
     * Slot start (Unix time) => visitors whose last hit was in it, newest first: the slot that is going on, then
     * those that have ended. 1 round trip per server and 8,000 bytes of keys.
     *
     * @phpstan-return array<int, int<0, max>>
     */
    public function perSlot(): array {}
}

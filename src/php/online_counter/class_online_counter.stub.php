<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * About how many visitors there were in the last seconds or minutes ("N people are looking at this
 * now"). A visitor who stays and comes in every slot is in the number once. Of visitors who come and
 * go it misses up to a fifth, and with 1 slot none.
 *
 * Time is cut into slots, each with a counter of its own, and the number shown is the sum of those
 * that have ended (A. Smirnov, "Web, caching and memcached", 2008; slots are named by their absolute
 * number). All processes that use one name must give it the same window and slots, and their clocks
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
     * The window must be divisible by them: otherwise a ValueError. 1 slot is the smallest form, with
     * two keys: last window's number is shown while this one's is counted.
     *
     * $whenDown: what count() answers where it would throw ServerException, for a number that a page only shows; increment()
     * returns then, hit() answers false, perSlot() []. Each such answer is told to Pool::onError() and counted by Metrics.
     * Null: they throw.
     *
     */
    public function __construct(Pool $pool, string $name, int $window = 300, int $slots = 5, ?int $whenDown = null) {}

    /** Counts $by visits that the caller knows to be unique. 1 round trip; 2 for the first of a slot. */
    public function increment(int $by = 1): void {}

    /**
     * Counts this visitor unless he was counted in one of the last `slots` slots, and says whether he
     * was counted: a visitor who stays is in every count() once. $visitor is any string of any length;
     * it is stored as a hash. When the counting fails, the next hit of this visitor counts, as far as
     * the server can still be asked; after a longer outage or a killed process he is missing until his
     * mark lets him count again, at most a window. 1 round trip for a visitor who was counted already, 3
     * for one who counts, 4 for one who counts again exactly a window later, and 1 more for each of the
     * numbers that is the first of its slot: up to 6.
     */
    public function hit(string $visitor): bool {}

    /**
     * The number: the sum of the slots that have ended, so up to one slot behind. $smooth: of the window
     * that ends now, with the current slot and the matching share of the oldest one; it moves evenly.
     * 1 round trip per server and 8,000 bytes of keys: 240 slots are 1, 1440 are 4.
     *
     * @phpstan-return int<0, max>
     */
    public function count(bool $smooth = false): int {}

    /**
     * Slot start (Unix time) => visitors counted in it, newest first: the slot that is going on, then
     * those that have ended. 1 round trip per server and 8,000 bytes of keys.
     *
     * @phpstan-return array<int, int<0, max>>
     */
    public function perSlot(): array {}
}

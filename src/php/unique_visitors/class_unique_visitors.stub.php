<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * About how many different visitors there were in a window of time: readers of an article today, and of all articles of a
 * section, without counting anybody twice. Visitors who come and go count once, unlike in OnlineCounter, which says how many
 * are here now.
 *
 * By HyperLogLog (Flajolet et al. 2007) with the estimator of O. Ertl (2017): an estimate, from a few kilobytes for each
 * slot of time. A hit may be repeated, doubled, delayed or reordered, and the number stays the same. What is stored is a
 * hash of the visitor, keyed by the last `signingKey` of a Pool that has one; without, somebody who chooses names can
 * make the number too large, and a hash of something short can be guessed. All that use one name must give it the same
 * window, slots and precision, and their clocks must agree to a second. Every method throws ServerException when a
 * server could not be reached or did not answer, unless $whenDown is given: part of an answer is never shown as the whole.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class UniqueVisitors
{
    /**
     * Asks no server. $window: seconds that the number covers; $slots, 1 to 1000: in how many parts, the one that is going
     * on included; the window must be divisible by them. 1 slot of a day is the day so far, in UTC; 24 are the last 23 to 24
     * hours.
     *
     * $precision, 4 to 14: how exact. The standard error is 1.04 / sqrt(2 ** $precision), ±1.6 % at 12 with 3 KB for each
     * slot, ±0.8 % at 14 with 12 KB, ±26 % at 4 with 12 bytes.
     *
     * $whenDown: what count() answers where it would throw ServerException, for a number that a page only shows; hit() returns
     * then, perSlot() answers []. Each such answer is told to Pool::onError() and counted by Metrics. Null: they throw; reset()
     * always does.
     *
     */
    public function __construct(Pool $pool, string $name, int $window = 86400, int $slots = 24, int $precision = 12, ?int $whenDown = null) {}

    /**
     * Sees a visitor: any string, of any length. Whether he had been seen is not known, and not answered. When the answer did
     * not come it is sent again; after a ServerException it may be called again as often as you like.
     *
     * No round trip when this process knows that it would change nothing, else 1; 2 for the first of a slot, and 2 more at
     * each 256th that a process sends. What a process knows of a slot it believes for 60 seconds: visitors of a slot that was
     * evicted are missing for so long. StoredValueException: the slot's item is full, or the server has no memory for it.
     */
    public function hit(string $visitor): void {}

    /**
     * About how many different visitors there were in the window that ends now; with $others, in any of them: the union,
     * in which nobody counts twice. Theirs may be other names, windows and Pools, with the same precision and the same
     * signing key. 1 round trip for each of them and each 8,000 bytes of keys, and 1 for each slot that has to be folded.
     * StoredValueException: what stands there is no sketch of this precision; its slot's end, or reset(), takes it away.
     *
     * @phpstan-return int<0, max>
     */
    public function count(UniqueVisitors ...$others): int {}

    /**
     * Slot start (Unix time) => about how many different visitors it had, newest first, the slot that is going on included.
     * Somebody who came in two slots is in both numbers. Round trips as count().
     *
     * @phpstan-return array<int, int<0, max>>
     */
    public function perSlot(): array {}

    /**
     * Forgets all visitors of the window that ends now, and what another client has left in a slot's place. What other
     * processes know of a slot they believe for 60 seconds more: visitors that they have seen are missing for so long. After
     * a ServerException: call it again. 1 round trip for each slot; over Transport::Direct 1 per server.
     */
    public function reset(): void {}
}

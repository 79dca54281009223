<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Which of many things are in: who is online, which ids are being edited, which keys were seen.
 *
 * A set is an item that "+ member" and "- member" are appended to, which memcached does atomically, so that no change is
 * lost, whatever changes it at once. Who reads goes through these operations, and compacts the item when more than half of
 * it is of no use any more. All processes that use one name must give it the same shards.
 *
 * Every method throws ServerException when a server could not be reached or did not answer; a set that cannot be asked is
 * never an empty one. What is stored and is no set is a StoredValueException, until clear() takes it away. What memcached loses (evicted, flushed,
 * restarted) is an empty set, or with several shards a part of it.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class MemberSet
{
    /**
     * Asks no server. $ttl: seconds from a shard's creation until it is gone, on memcached's clock of whole seconds; changes
     * do not prolong it. A DateInterval is as long as from now on. 0: no end. $shards: 1 to 256, over which a large or busy
     * set spreads, and with them over the servers: each holds about a megabyte.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Members join; those that are in stay where they are. A member is any string that is not empty, at most 65536 bytes.
     * All members of a call and of a shard come in at once. StoredValueException: they do not fit, though the shard was
     * compacted, or the server has no memory for them; then they were not added. ServerException: it is not known whether
     * they were, and nothing is sent again. TooLargeException: they would not fit into an empty shard. 1 round trip for each shard; 2 for the first of a shard; 2 more at least when it
     * is full.
     */
    public function add(string ...$members): void {}

    /** Members leave; others are ignored. 1 round trip for each shard; 1 more at least when it is full or not there. */
    public function remove(string ...$members): void {}

    /**
     * Whether the member is in. 1 round trip; now and then another that compacts. The member's whole shard comes and is read for it,
     * so that what it takes grows with the shard's members: some 80 microseconds of processor time for 10,000 of them, 11 in 16
     * shards. Give a set of many members more shards.
     */
    public function has(string $member): bool {}

    /**
     * The members, in the order in which they joined, one shard behind the other. 1 round trip per server; another for
     * each shard that is compacted.
     *
     * @phpstan-return list<string>
     */
    public function members(): array {}

    /**
     * How many members there are. As members() in everything else.
     *
     * @phpstan-return int<0, max>
     */
    public function count(): int {}

    /** Forgets all members. 1 round trip for each shard. */
    public function clear(): void {}
}

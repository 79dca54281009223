<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Keeps a set of strings that many processes change, for example the ids of documents that are being edited.
 *
 * Each shard of a set is an item to which `+ member` and `- member` operations are appended. memcached's append is
 * atomic, so no concurrent change is lost. A reader of a shard replays the operations, and compacts an item above 4 KiB
 * if more than half of it is outdated. All processes that use a name must use the same number of shards.
 *
 * Methods throw ServerException if a server is down or does not reply. An unreachable set is never returned as an empty
 * set. If the stored value is not a set, methods throw StoredValueException until clear() removes the value. A set that
 * memcached loses (through an eviction, flush or restart) is empty. With several shards, only the members of the lost
 * shards are missing. See docs/classes/member-set.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class MemberSet
{
    /**
     * Creates a set object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from a shard's creation until it expires, by
     *        memcached's clock, which counts whole seconds. Changes do not extend this time. A DateInterval is measured
     *        from now. 0: never expires.
     * @param int $shards Number of items that the set is divided into, 1 to 256. Each holds at most 1 MiB. Several
     *        shards distribute a large or busy set over the servers.
     *
     * @throws \ValueError if $name is empty, or $ttl or $shards is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Adds members. Existing members keep their position. All members of a call that belong to the same shard are added
     * together.
     *
     * Cost: 1 round trip per shard; 2 for the first members of a shard. If the shard is full, at least 4 more, until a
     * compaction has freed space.
     *
     * @phpstan-param string ...$members
     *        Non-empty strings of at most 65,536 bytes.
     *
     * @throws StoredValueException if a stored value is not a set, if the members do not fit after a compaction of the
     *        shard, or if the server has no memory for the members. The members of this shard are not added. Members of
     *        other shards might have been added.
     * @throws TooLargeException if the members of a shard would not fit into an empty shard.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the members might have
     *        been added. The change is not sent again.
     * @throws \ValueError if a member is empty or longer than 65,536 bytes.
     */
    public function add(string ...$members): void {}

    /**
     * Removes members. Absent members are ignored.
     *
     * Cost: 1 round trip per shard. If the shard is missing, 1 more. If the shard is full, at least 2 more.
     *
     * @phpstan-param string ...$members
     *        Non-empty strings of at most 65,536 bytes.
     *
     * @throws StoredValueException if a stored value is not a set, or if a shard has no room for the change.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the members might have
     *        been removed.
     * @throws \ValueError if a member is empty or longer than 65,536 bytes.
     */
    public function remove(string ...$members): void {}

    /**
     * Returns whether the string is a member.
     *
     * The whole shard is read, so the CPU time grows with the number of members in the shard. Use more shards for a
     * large set. See docs/classes/member-set.md#limits.
     *
     * Cost: 1 round trip; at least 1 more if the shard is compacted.
     *
     * @param string $member Non-empty string of at most 65,536 bytes.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws StoredValueException if the stored value is not a set.
     * @throws \ValueError if $member is empty or longer than 65,536 bytes.
     */
    public function has(string $member): bool {}

    /**
     * Returns the members in the order in which they were added, one shard after the other.
     *
     * Cost: 1 round trip per server; at least 1 more if a shard is compacted.
     *
     * @phpstan-return list<string>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if a stored value is not a set.
     */
    public function members(): array {}

    /**
     * Returns the number of members. count() reads the same items as members().
     *
     * Cost: 1 round trip per server; at least 1 more if a shard is compacted.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if a stored value is not a set.
     */
    public function count(): int {}

    /**
     * Removes all members, and stored values that are not sets.
     *
     * Cost: 1 round trip per shard.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function clear(): void {}
}

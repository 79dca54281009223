<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Keeps rows by id, and the list of ids, for example the running jobs with their progress.
 *
 * Each row is one item. A row can be any value that the Pool can serialize, and is signed if the Pool has a signingKey.
 * The list of ids is called the index, and is stored like a MemberSet.
 *
 * put() stores the row and then adds its id to the index. If the process is killed in between, get() finds the row but
 * rows() does not, until the id is put or deleted again. All processes that use a name must use the same number of
 * shards.
 *
 * Methods throw ServerException if a server is down or does not reply. They never return a part of the rows as if it
 * were all rows. A row that this process cannot read (unsigned, or an object of a missing class) counts as missing.
 *
 * If a row is an object whose own code throws during decoding, get(), rows() and update() rethrow the exception. If
 * they treated the row as missing, update() would replace the only copy of the row.
 *
 * If the stored index is not valid, ids(), rows() and count() throw StoredValueException until clear() removes the
 * index. See docs/classes/table.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Table
{
    /**
     * Creates a table object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from a row's last put() until it expires. A
     *        DateInterval is measured from now. 0: never expires. Ids do not expire. rows() omits ids of expired rows,
     *        and compactions remove these ids.
     * @param int $shards Number of items that the index is divided into, 1 to 256.
     *
     * @throws \ValueError if $name is empty, or $ttl or $shards is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Stores a new row, or replaces an existing row.
     *
     * Cost: 2 round trips; 3 for the first row of a shard. Over Transport::Direct, 1 if the row and the shard are on
     * one server.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @param mixed $row Any value that the Pool can serialize.
     *
     * @throws TooLargeException if the row exceeds the server's item limit.
     * @throws StoredValueException if the index is full: use more shards. The row is stored, but its id is not listed.
     * @throws NotSerializableException if the row cannot be serialized.
     * @throws ServerException if a server is down or does not reply. If the reply is missing, the row might be in
     *        memcached already, or might arrive there later.
     * @throws \ValueError if $id is empty or too long.
     */
    public function put(string $id, mixed $row): void {}

    /**
     * Returns the row, or $default if it is missing.
     *
     * Cost: 1 round trip.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @param mixed $default Result if there is no row that this process can read.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty or too long.
     * @throws \Throwable if the row's own code throws while it is read.
     */
    public function get(string $id, mixed $default = null): mixed {}

    /**
     * Returns whether a row exists, with a valid signature if the Pool has a signingKey.
     *
     * Cost: 1 round trip.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     *
     * @return bool true even for a row that this process cannot read, for which get() returns $default.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty or too long.
     */
    public function has(string $id): bool {}

    /**
     * Changes a row without losing a concurrent change, and returns the new row.
     *
     * If $change throws, nothing is stored.
     *
     * Cost: 4 round trips; 2 more each time that another process changed the row first.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     * @template Old
     * @template T
     * @phpstan-param callable(Old|null): T $change
     *        Receives the current row, or null if it is missing, and returns the new row. The callable runs again if
     *        another process changed the row first.
     * @param-immediately-invoked-callable $change
     *
     * @phpstan-return T
     *
     * @throws TooLargeException if the new row exceeds the server's item limit.
     * @throws StoredValueException if the index is full. The row is stored, but its id is not listed.
     * @throws NotSerializableException if the new row cannot be serialized.
     * @throws ServerException if a server is down or does not reply, or if other processes changed the row first in
     *        each of 1,000 attempts.
     * @throws \ValueError if $id is empty or too long.
     * @throws \Throwable if the row's own code throws while it is read.
     */
    public function update(string $id, callable $change): mixed {}

    /**
     * Deletes a row.
     *
     * Cost: 2 round trips. Over Transport::Direct, 1 if the row and the shard are on one server.
     *
     * @param string $id Non-empty string of at most 65,536 bytes.
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the index is full.
     * @throws \ValueError if $id is empty or too long.
     */
    public function delete(string $id): void {}

    /**
     * Returns the listed ids in the order in which they were added, one shard after the other, including ids of expired
     * rows.
     *
     * Cost: 1 round trip per server; 4 more if a shard of the index is compacted.
     *
     * @phpstan-return list<string>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     */
    public function ids(): array {}

    /**
     * Returns all rows, or the rows of $ids. The result is not a snapshot of one moment.
     *
     * Cost: 1 round trip per server and per 8,000 bytes of keys. For all rows, 1 more per server for the ids. If most
     * rows have expired, the index is compacted, which costs 4 more per shard.
     *
     * @phpstan-param array<array-key>|null $ids
     *        Ids of the rows. null: all.
     *
     * @phpstan-return array<array-key, mixed>
     *        The rows, as id => row. Ids without a row are omitted.
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     * @throws \TypeError if an id is not a string.
     * @throws \ValueError if an id is empty or too long.
     * @throws \Throwable if a row's own code throws while it is read.
     */
    public function rows(?array $ids = null): array {}

    /**
     * Returns the number of listed ids, including ids of expired rows.
     *
     * Cost: 1 round trip per server; 4 more if a shard of the index is compacted.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if a server is down or does not reply.
     * @throws StoredValueException if the stored index is not valid.
     */
    public function count(): int {}

    /**
     * Deletes all listed rows.
     *
     * If another client damaged the index, only the index is deleted. The rows remain until they expire, or until they
     * are put or deleted again. A row that is put during clear() can remain. After a ServerException, call clear()
     * again.
     *
     * Cost: 2 round trips per shard, and 1 per row; over Transport::Direct 1 per server and per 100 rows.
     *
     * @throws ServerException if a server is down or does not reply.
     */
    public function clear(): void {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Rows by their ids, and which ids there are: the running jobs with their progress, say.
 *
 * Each row is an item of its own, any value that the pool can serialize, signed with the pool's signingKey; the ids are
 * kept as a MemberSet is. A put stores the row and then lists its id, so that a process which dies in between leaves a row
 * that get() finds and rows() does not, until the id is put or deleted again. All processes that use one name must give it
 * the same shards.
 *
 * Every method throws ServerException when a server could not be reached or did not answer: a part of the rows is never
 * shown as all. A row that cannot be read here (not signed as the pool wants it, of a class that is not there) is as good as
 * none. If a row's own code throws while the row is read, get(), rows() and update() throw that exception: a Table is the only
 * place of its rows, and a miss would have update() replace one. What stands in the index's place and is none is a StoredValueException of ids(), rows() and count(), until clear()
 * takes it away.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Table
{
    /**
     * Asks no server. $ttl: seconds from a row's last put until it is gone; 0: no end. A DateInterval is as long as from now
     * on. The ids have no end: those of rows that are gone are left out of rows(), and in time out of the index. $shards: 1
     * to 256, over which the index spreads.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 0, int $shards = 1) {}

    /**
     * Stores the row, new or in place of another. $id: any string that is not empty, at most 65536 bytes.
     * TooLargeException: larger than the server takes. StoredValueException: the index is full (more shards help); the row is
     * stored then, but not listed. 2 round trips; 3 for the first of a shard.
     */
    public function put(string $id, mixed $row): void {}

    /** The row, or $default. 1 round trip. */
    public function get(string $id, mixed $default = null): mixed {}

    /** Whether there is a row, signed as the pool wants it; also one whose value cannot be read here, for which get() answers
     * $default. 1 round trip. */
    public function has(string $id): bool {}

    /**
     * Puts what $change makes of the row, and returns it: $change is given the old row, or null where there is none, and
     * runs again when another process was faster, so that no change is lost. Nothing is stored when it throws. 4 round
     * trips.
     *
     * @template Old
     * @template T
     * @phpstan-param callable(Old|null): T $change
     * @param-immediately-invoked-callable $change
     * @phpstan-return T
     */
    public function update(string $id, callable $change): mixed {}

    /** Takes the row away. 2 round trips. */
    public function delete(string $id): void {}

    /** The ids that are listed, in the order in which they came, one shard behind the other; also of rows that have ended.
     * 1 round trip per server; now and then more, to compact the index.
     *
     * @phpstan-return list<string>
     */
    public function ids(): array {}

    /**
     * id => row, of all ids or of these; an id without a row is left out. Not a picture of one moment. 1 round trip per
     * server and 8,000 bytes of keys, and before that 1 per server when all are asked for; more when many rows have ended.
     *
     * @phpstan-param array<array-key>|null $ids
     * @phpstan-return array<array-key, mixed>
     */
    public function rows(?array $ids = null): array {}

    /**
     * How many ids are listed. As ids() in everything else.
     *
     * @phpstan-return int<0, max>
     */
    public function count(): int {}

    /**
     * Takes all rows away that are listed. Of an index that another client has damaged it takes the index away: rows that
     * it alone named stay until they end, or are put or deleted again. A row that is put meanwhile may stay. After a ServerException: call it again. 2 round trips for each shard, and 1 for
     * each row; over Transport::Direct 1 for each 100 rows of a server.
     */
    public function clear(): void {}
}

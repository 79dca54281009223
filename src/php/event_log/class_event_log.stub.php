<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Keeps the latest events of all processes and hosts in one order, for example the last errors of a site.
 *
 * Time is divided into slots, and each slot is one item. memcached appends events to the current slot atomically.
 * Events older than $age are dropped, one slot at a time. An event is any value that the Pool can serialize, at most
 * 65,536 bytes after serialization and compression. A slot holds at most 1 MiB.
 *
 * If the Pool has a signingKey, events are signed together with the key of their slot. All processes that use a name
 * must use the same age and slots, and their clocks must agree to within a slot.
 *
 * Methods throw ServerException if the server is down or does not reply, unless $quiet is true. They never return a
 * partial log as if it were the whole log. Events that memcached loses (through an eviction, flush or restart) are
 * missing, and since() reports the loss. See docs/classes/event-log.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class EventLog
{
    /**
     * Creates an event log object. No network access.
     *
     * @param int $age Minimum seconds that an event is kept. It must be divisible by $slots.
     * @param int $slots Number of slots into which the age is divided, 1 to 1000.
     * @param bool $quiet true: instead of throwing ServerException, append() drops the event, and last() and since()
     *        return an empty array and do not change $cursor and $lost. Metrics counts each such case, and
     *        Pool::onError() reports such cases at most once a second per server. clear() always throws.
     *
     * @throws \ValueError if $name is empty, $slots is out of range, or $age is not a multiple of $slots.
     */
    public function __construct(Pool $pool, string $name, int $age = 3600, int $slots = 12, bool $quiet = false) {}

    /**
     * Adds one event with the current time.
     *
     * The append is atomic. The log has the order in which the events arrived at the server, so events of one process
     * keep their order.
     *
     * Cost: 1 round trip; 2 for the first event of a slot.
     *
     * @param mixed $event Any value that the Pool can serialize.
     *
     * @throws StoredValueException if the slot is full (use more slots), or if the server has no memory for the event.
     *        The event was not added.
     * @throws TooLargeException if the event exceeds 65,536 bytes.
     * @throws NotSerializableException if the event cannot be serialized.
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the event might have
     *        been added. It is not sent again.
     */
    public function append(mixed $event): void {}

    /**
     * Returns the latest events, newest first.
     *
     * Events that this process cannot read are omitted: objects of a missing class, and events without a valid
     * signature. Slots are read as a whole, however few events are requested. If slots are large, use more slots. See
     * docs/classes/event-log.md#limits.
     *
     * Cost: 1 round trip for the two newest slots, then 1 for 8 times as many slots each time, until enough events are
     * found. A read whose keys exceed 8,000 bytes costs 1 per 8,000 bytes of keys.
     *
     * @param int $n Maximum number of events, at least 1.
     *
     * @phpstan-return list<array{float, mixed}>
     *        A list of [time, event]. The time is a Unix time in seconds.
     *
     * @throws ServerException if the server is down or does not reply, unless the log is quiet.
     * @throws \ValueError if $n is less than 1.
     * @throws \Throwable if unserializing an event throws.
     */
    public function last(int $n = 100): array {}

    /**
     * Returns the events after $cursor, oldest first, and moves $cursor past them.
     *
     * Store the cursor anywhere, and pass it to the next call. If the pauses between calls are at most $age minus 2
     * slots, the reader gets each event exactly once. This requires that clock differences and append delays together
     * are shorter than a slot.
     *
     * If unserializing an event throws, the call first returns the events before that event. The next call throws, and
     * moves $cursor past that event.
     *
     * Cost: 1 round trip per 2 slots, from the cursor's slot to the current one.
     *
     * @param string|null $cursor Cursor that the previous call returned. null: start with the oldest event.
     * @param int $limit Maximum number of events, at least 1.
     * @param int|null $lost Receives the number of lost slots: dropped before they were read, evicted, flushed, cleared
     *        or damaged. A slot that was lost before the reader read any part of it is not counted.
     * @param-out string $cursor
     * @param-out int<0, max> $lost
     *
     * @phpstan-return list<array{float, mixed}>
     *        A list of [time, event]. The time is a Unix time in seconds.
     *
     * @throws ServerException if the server is down or does not reply, unless the log is quiet.
     * @throws \ValueError if $cursor is not a cursor of this log, or $limit is less than 1.
     * @throws \Throwable if unserializing the first event throws.
     */
    public function since(?string &$cursor, int $limit = 1000, ?int &$lost = null): array {}

    /**
     * Deletes all events. since() reports them as lost slots.
     *
     * Cost: 2 round trips, and 1 per slot; over Transport::Direct 1 per 32 slots.
     *
     * @throws ServerException if the server is down or does not reply, even if the log is quiet.
     */
    public function clear(): void {}
}

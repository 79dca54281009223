<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * What happened lately, from all processes of all hosts, in one order: the last errors of a site, say.
 *
 * Time is cut into slots, and each slot is one item that events are appended to, which memcached does atomically.
 * Events older than $age seconds go, a slot at a time. An event is any value that the pool can serialize, at most 65536
 * bytes when that and compression are done, and a slot holds about a megabyte of them. With the pool's signingKey events
 * are signed, under the key of their slot. All processes that use one name must give it the same age and slots, and their
 * clocks must agree within a slot.
 *
 * Every method throws ServerException when the server could not be reached or did not answer, unless the log is $quiet: a part of the log is never
 * shown as the whole. What memcached loses (evicted, flushed, restarted) is missing; since() says so.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class EventLog
{
    /**
     * Asks no server. $age: for how many seconds an event is kept, at least; $slots: in how many parts, 1 to 1000. The age
     * must be divisible by them: otherwise a ValueError.
     *
     * $quiet: where append(), last() and since() would throw ServerException, append() returns, and the others answer [] and
     * leave $cursor and $lost alone. Each such answer is told to Pool::onError() and counted by Metrics. clear() throws as ever.
     */
    public function __construct(Pool $pool, string $name, int $age = 3600, int $slots = 12, bool $quiet = false) {}

    /**
     * Adds one event, with the time of this moment. Atomic, and in the order of arrival; events of one process are in
     * its order. StoredValueException: it does not fit, because this slot's megabyte is full (more slots help) or the
     * server has no memory for it; then it was not added. TooLargeException: it is longer than 65536 bytes.
     * NotSerializableException: it cannot be stored. ServerException: it is not known whether it was added, and it is
     * not sent again. 1 round trip; 2 for the first event of a slot.
     */
    public function append(mixed $event): void {}

    /**
     * The last $n events, newest first: a list of [float $time, mixed $event]. What cannot be read here (of a class that
     * is not there, or not signed as the pool wants it) is left out; what the unserializing of an event throws is thrown.
     * The two newest slots are asked for first, then twice as many each time until there are enough: 1 round trip for
     * each of these and 8,000 bytes of keys. Slots come whole, however few events are wanted: last(10) takes this process some 80
     * microseconds of processor time where the newest slot has 1,000 events of fifty bytes, and ten times as much where it has
     * 10,000. Where slots are large, take more of them.
     *
     * @phpstan-return list<array{float, mixed}>
     */
    public function last(int $n = 100): array {}

    /**
     * What came since $cursor, oldest first, at most $limit events: a list of [float $time, mixed $event]. $cursor null:
     * from the oldest that there is. $cursor is moved on behind what was returned: keep it as it is, anywhere, and hand it
     * in the next time. A reader that calls at least every age less two slots gets every event exactly once, as long as
     * clocks differ, and appends are delayed, by less than a slot together.
     *
     * $lost: how many slots were lost in between, or are damaged: left the log before they were read, evicted, flushed or
     * cleared. Not told of is a slot that was lost before the reader had seen anything of it. What unserializing an event
     * throws is thrown when that event is the first of those to come; $cursor is behind it then. A cursor of another log,
     * or none of ours, is a ValueError. 1 round trip for each two slots.
     *
     * @param-out string $cursor
     * @param-out int<0, max> $lost
     * @phpstan-return list<array{float, mixed}>
     */
    public function since(?string &$cursor, int $limit = 1000, ?int &$lost = null): array {}

    /** Forgets all events; since() tells of that as of lost slots. As many round trips as slots, and two. */
    public function clear(): void {}
}

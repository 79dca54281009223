<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Keeps a number from 0 to PHP_INT_MAX that many processes change at the same time.
 *
 * The key is the Pool's prefix and the name, and the value is plain digits. Every client, such as php-memcached or
 * pecl-memcache, can read and increment the counter. A name that memcached would reject is mapped to a valid key: see
 * docs/classes/keys.md.
 *
 * Methods throw ServerException if the server is down or does not reply, unless $whenDown is set. A change without a
 * reply might have been counted, and is never repeated. If the stored value is not a number by memcached's rules,
 * methods throw StoredValueException, and the value is kept. See docs/spec/storage.md#counter.
 *
 * A counter can be evicted, or lost when memcached restarts. To keep the counts, write them to a database with drain(),
 * or with drainMany() for many counters. See docs/classes/counter.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Counter
{
    /**
     * Creates a counter object. No network access.
     *
     * @phpstan-param int|(callable(): int) $initial
     *        First number of a missing counter, 0 or more, or a callable that returns it. One process runs the callable
     *        while the others wait. If the callable throws, nothing is stored. If the callable runs longer than both
     *        $wait and 10 s, later callers can also run it. Pass a private method as `$this->load(...)`, because the
     *        array form is callable only inside the class.
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds from the counter's creation until it expires, by
     *        memcached's clock, which counts whole seconds. Counting does not extend this time. A DateInterval is
     *        measured from now. 0: never expires.
     * @param int|float|null $wait Maximum seconds to wait for another process that runs $initial, or that drains the
     *        counter. If the wait for $initial ends without a result, the process runs $initial itself. null: 2.5.
     * @param int|null $whenDown Number that increment(), decrement() and value() return instead of throwing
     *        ServerException, for a number that a page only displays. null: the methods throw. Metrics counts each use
     *        of $whenDown, and Pool::onError() reports uses at most once a second per server. Other methods always
     *        throw. Exceptions from $initial are always rethrown.
     *
     * @throws \ValueError if $name is empty, or if $initial, $ttl or $wait is out of range.
     * @throws \TypeError if $initial is neither an integer nor callable.
     */
    public function __construct(Pool $pool, string $name, int|callable $initial = 0, \DateInterval|\Time\Duration|int|float $ttl = 0, int|float|null $wait = null, ?int $whenDown = null) {}

    /**
     * Adds $by and returns the new number.
     *
     * The change is atomic. A missing counter is created from its initial value, and no concurrent count is lost. A sum
     * beyond PHP_INT_MAX is undone, and the call throws. Until the undo, calls of other processes can also throw. If
     * the undo gets no reply, or the process is killed before the undo, the counter can keep the sum. See
     * docs/spec/counter.md.
     *
     * Cost: 1 round trip; 2 to create the counter, or if the sum exceeds PHP_INT_MAX. The caller that runs a callable
     * initial value: 7, or 6 over Transport::Direct.
     *
     * @param int $by Amount. Negative: decrements.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the change might have been counted.
     * @throws StoredValueException if the stored value is not a number, or the sum exceeds PHP_INT_MAX.
     * @throws \Throwable if the callable initial value throws.
     */
    public function increment(int $by = 1): int {}

    /**
     * Subtracts $by and returns the new number, which is never below 0. In all other respects, it behaves like
     * increment().
     *
     * Cost: as for increment().
     *
     * @param int $by Amount. Negative: increments.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null. If the reply is missing,
     *        the change might have been counted.
     * @throws StoredValueException if the stored value is not a number, or the result exceeds PHP_INT_MAX.
     * @throws \ValueError if $by is PHP_INT_MIN.
     * @throws \Throwable if the callable initial value throws.
     */
    public function decrement(int $by = 1): int {}

    /**
     * Returns the number. For a missing counter, it returns the initial value.
     *
     * An integer initial value is not stored. A callable is run and its result is stored, as with increment().
     *
     * Cost: 1 round trip. The caller that runs the callable: 7, or 6 over Transport::Direct.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply, and $whenDown is null.
     * @throws StoredValueException if the stored value is not a number.
     * @throws \Throwable if the callable initial value throws.
     */
    public function value(): int {}

    /**
     * Sets the number and restarts its TTL.
     *
     * Cost: 1 round trip.
     *
     * @param int $value New number, 0 or more.
     *
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the number might have
     *        been set.
     * @throws \ValueError if $value is negative.
     */
    public function set(int $value): void {}

    /**
     * Deletes the counter. The next use starts from the initial value again.
     *
     * Cost: 1 round trip.
     *
     * @throws ServerException if the server is down or does not reply. If the reply is missing, the counter might have
     *        been deleted.
     */
    public function reset(): void {}

    /**
     * Subtracts the current number, passes it to $store and returns it, for a periodic write to a database.
     *
     * The sum of all drained amounts and the remaining number equals the sum of all increments, even with concurrent
     * drains. The amount includes the initial value, so do not drain a counter into the source of its initial value.
     *
     * If $store throws or exits, the amount is added back and the exception is rethrown. If the process is killed
     * (SIGKILL, SIGTERM) between the subtraction and the end of $store, only that amount is lost. A decrement during a
     * drain can stop at 0. After a concurrent reset(), set() or eviction, increments of that moment can be lost.
     *
     * Cost: 5 round trips; over Transport::Direct 4. Each guard (a lock) that a killed drain left costs the next drain
     * 7 more.
     *
     * @phpstan-param (callable(int<1, max>): void)|null $store
     *        Receives the amount. It is not called if the amount is 0.
     * @param-immediately-invoked-callable $store
     *
     * @phpstan-return int<0, max>
     *        The drained amount, or 0 if the counter does not exist.
     *
     * @throws LockTimeoutException if nothing could be drained within the constructor's $wait, because other drains
     *        were running or the server replied too slowly.
     * @throws ServerException if the server is down, or if it is unknown whether the amount was subtracted. The message
     *        then contains the amount.
     * @throws StoredValueException if the stored value is not a number.
     */
    public function drain(?callable $store = null): int {}

    /**
     * Drains many counters in few round trips. Each counter is drained as with drain(). The call as a whole is not
     * atomic.
     *
     * If $store throws or exits, the amounts of that call are added back, the exception is rethrown, and no further
     * name is read. If a counter is missing by then, it is created from 0 and never expires. If the process is killed
     * (SIGKILL, SIGTERM) between the subtraction and the end of $store, only these amounts are lost.
     *
     * Counters that another process is draining are skipped without waiting. A counter is also skipped if its server
     * replies so slowly that the guard (a lock of 1 s) would expire before the subtraction. If a server fails, or a
     * stored value is not a number, the other counters are drained and stored first. The exception then names the first
     * counter that failed.
     *
     * Each counter takes about 1.4 KB of memory, for at most 1,000 names at a time. See docs/classes/counter.md.
     *
     * Cost: over Transport::Direct 4 round trips per server and per 100 counters. Over libmemcached 1 for all reads,
     * and 3 per counter. Adding amounts back costs 1 per counter, over Transport::Direct 1 per 100 counters.
     *
     * @phpstan-param iterable<string|int> $names
     *        Names of any number of counters. They are read as needed, 1,000 at a time. Duplicates within 1,000 names
     *        are drained once.
     * @phpstan-param callable(non-empty-array<array-key, int<1, max>>): void $store
     *        Receives the amounts of up to 1,000 names, as name => amount. Names with the amount 0 are omitted. $store
     *        is not called without amounts. A name that looks like an integer is an integer key.
     * @param-immediately-invoked-callable $store
     *
     * @phpstan-return int<0, max>
     *        The number of amounts that were stored.
     *
     * @throws ServerException if a server failed, or if it is unknown whether some amounts were subtracted. The message
     *        then contains the sum of these amounts, which were not passed to $store.
     * @throws StoredValueException if a stored value is not a number.
     * @throws \TypeError if a name is neither a string nor an integer.
     * @throws \ValueError if a name is empty.
     * @throws \Throwable if the iteration of $names throws.
     */
    public static function drainMany(Pool $pool, iterable $names, callable $store): int {}
}

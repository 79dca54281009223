<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * A number that many processes count on at once, never below 0 and never beyond PHP_INT_MAX.
 *
 * It is stored as plain digits under the pool's prefix and the name (a name that memcached would not take
 * is mapped, see docs/classes/keys.md), so that php-memcached, pecl-memcache and every other client can read and
 * increment it. Every method throws ServerException when the server could not be reached or did not
 * answer, unless $whenDown is given; then a change may have happened, and it is never repeated. What is stored and is no such number
 * is a StoredValueException, and stays; what counting takes for a number is memcached's rule, see
 * docs/spec/storage.md. A counter lives in memcached and can be evicted or lost in a restart: `drain()` it into
 * a database, and many of them by `drainMany()`.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Counter
{
    /**
     * Asks no server.
     *
     * $initial: what an absent counter starts from, 0 or more, or a callable that returns it (the
     * number kept in the database, say). One process runs it while the others wait, up to $wait
     * seconds (null: 2.5); a process that has waited so long runs it too. When it throws, nothing is left behind.
     * When it runs for longer than $wait and than 10 seconds, a process that has just come may run it
     * as well. A private method as `$this->load(...)`, not as an array, which is callable only inside
     * the class. $ttl: seconds from the counter's creation until it is gone, on memcached's clock of
     * whole seconds; counting does not prolong it. A DateInterval is as long as from now on. 0: no end.
     *
     * $whenDown: what increment(), decrement() and value() answer where they would throw ServerException, for a number that a
     * page only shows; null: they throw. Each such answer is told to Pool::onError() and counted by Metrics. Everything else
     * throws as ever, and so does what $initial throws.
     *
     * @phpstan-param int|(callable(): int) $initial
     */
    public function __construct(Pool $pool, string $name, int|callable $initial = 0, \DateInterval|\Time\Duration|int|float $ttl = 0, int|float|null $wait = null, ?int $whenDown = null) {}

    /**
     * Adds $by and returns the new number; a negative $by is a decrement. Atomic. An absent counter is
     * created from its initial value, so that of calls at the same time none is lost. Beyond
     * PHP_INT_MAX it is a StoredValueException, and what was added is taken back: until then others
     * may be refused too; when that has no answer, or the process is killed before, it stays. 1 round
     * trip; 2 to create, 7 with a callable initial value, for the one that runs it; 2 when it is
     * beyond.
     *
     * @phpstan-return int<0, max>
     */
    public function increment(int $by = 1): int {}

    /**
     * Subtracts $by, stops at 0, and returns the new number. As increment() in everything else.
     *
     * @phpstan-return int<0, max>
     */
    public function decrement(int $by = 1): int {}

    /**
     * The number. That of an absent counter is its initial value: an integer is not written; a callable
     * one is run and stored as increment() does. 1 round trip; 7 for the one that runs the callable.
     *
     * @phpstan-return int<0, max>
     */
    public function value(): int {}

    /** Sets the number, 0 or more; its TTL starts again. 1 round trip. */
    public function set(int $value): void {}

    /** Forgets the counter: the next use starts from the initial value again. 1 round trip. */
    public function reset(): void {}

    /**
     * Takes what has accumulated and returns it, for a periodic write to a database: all that was ever
     * drained and what is left are all that was ever counted, whatever counts or drains beside it. 0 from
     * an absent counter. 5 round trips. It takes the initial value too: do not drain a counter into the
     * place that its initial value comes from.
     *
     * $store is called with what was taken, unless that is 0; when it throws or exits, it is added back
     * and the exception goes on. A process killed (SIGKILL, SIGTERM) after taking and before storing loses
     * what it took, and no more. Decrements beside a drain may be cut off at 0, and after a reset(), set()
     * or eviction beside it what is counted then may be lost.
     *
     * LockTimeoutException when nothing could be taken for `wait` seconds, because other drains were at it
     * or the server answers too slowly. ServerException when it is not known whether the number was taken;
     * the message says how much it was.
     *
     * @phpstan-param (callable(int<1, max>): void)|null $store
     * @param-immediately-invoked-callable $store
     * @phpstan-return int<0, max>
     */
    public function drain(?callable $store = null): int {}

    /**
     * Drains many counters by few round trips, and returns how many amounts were stored. For each as drain() has it: nothing
     * that is counted meanwhile is lost or drained twice.
     *
     * $names: the counters' names, as many as there are; read as they are needed, 1,000 at a time, each once in a thousand.
     * $store is called with what was taken of such a thousand, name => amount, once, and not at all when that is nothing: an
     * absent counter, or one that is 0, is not in it. A name that looks like an integer is one there, as an array's key always
     * is. When it throws or exits, those amounts are added back (to a counter that is gone meanwhile as the start of a new one,
     * from 0, without an end), the exception goes on, and no further name is read. A process killed (SIGKILL, SIGTERM) after
     * taking and before storing loses these amounts, and no more.
     *
     * A counter that another process is draining is left to that, without waiting, and so is one whose server answers so
     * slowly that its guard (a second) would run out before the number is taken. Where a server fails, or what is stored is no
     * number, the others are drained and stored first; then it is a ServerException, or a StoredValueException, that names the
     * first of them. When it is not known whether some amounts were taken, it says how much they are together: they were not
     * given to $store.
     *
     * Not atomic: each counter by itself. Over Transport::Direct 4 round trips for each server and 100 counters, over libmemcached one
     * for all that is read and 3 for each counter; 1 for each counter, or 100 of them, to add them back. About 1.2 KB of memory for each counter of a thousand.
     *
     * @phpstan-param iterable<string|int> $names
     * @phpstan-param callable(non-empty-array<array-key, int<1, max>>): void $store
     * @param-immediately-invoked-callable $store
     * @phpstan-return int<0, max>
     */
    public static function drainMany(Pool $pool, iterable $names, callable $store): int {}
}

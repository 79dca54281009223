<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Lets one holder at a time work, among all processes and hosts that use the same memcached.
 *
 * Durations are seconds, fractions included. Two objects of one name exclude each other, also in one process. A lock
 * can be evicted, or lost in a restart of memcached. If two holders would do harm, send token() along with each write.
 *
 * Methods that ask the server throw ServerException if it is down or does not reply. They never return false for that
 * reason.
 *
 * If a holder was killed, its lock is free at once for processes of the same host (Linux). The same applies to a late
 * write of a lock whose caller gave up, for processes that share its memory. See docs/classes/lock.md and
 * docs/spec/lock-holders.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Lock
{
    /**
     * Creates a lock object. No network access.
     *
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds that an acquisition lasts unless it is refreshed,
     *        greater than 0. INF: until it is released. A DateInterval is measured from now by Clock::now(), in UTC.
     *        The holder counts it on its own clock, from before its request.
     * @param string|null $owner Holder's name in the item, 1 to 255 bytes. restore() finds the lock by it. null: 32
     *        random hexadecimal digits.
     * @param bool $autoRelease true: the lock is released when this object is destroyed, or when the script ends, even
     *        by exit or a fatal error. A forked child never releases it. false: only release() and the TTL end it, even
     *        if the process is killed.
     * @param int|float $skew Maximum difference of the hosts' wall clocks in seconds, 0 or more, the same for all users
     *        of the name. Other callers take the lock over when its end and this time have passed, whatever memcached's
     *        clock shows. INF: no wall clock is used, and memcached's TTL ends the lock up to 3 s after $ttl. Under
     *        load, it can be late, or early after it was late. See docs/classes/lock.md#clock-skew.
     *
     * @throws \ValueError if $name is empty, or $ttl, $owner or $skew is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true, int|float $skew = 1) {}

    /**
     * Acquires the lock and returns whether this object holds it.
     *
     * It retries until $wait seconds have passed, with random pauses, and once more when the holder's TTL and $skew
     * have passed. Fairness is not guaranteed. If this object already holds the lock, the TTL restarts. An expired TTL
     * also restarts, as long as $skew has not passed.
     *
     * The call blocks the process: a Fiber that holds the lock by another object cannot release it meanwhile. Between
     * Fibers of one process, use `wait: 0` and suspend the Fiber between tries. With `pcntl_async_signals(true)`,
     * handlers of pcntl_signal() run during the wait. An exception of a handler ends the wait.
     *
     * If a reply is lost, the lock's owner is read back. If that read fails, too, the call throws. If the server has
     * stored the lock nevertheless, processes that share the memory of this process can acquire it at once. The lock is
     * removed when this object is destroyed, or expires.
     *
     * Cost: 1 round trip if the lock is free, 2 if it is taken, 3 if it has expired or has no holder. Each further try
     * while waiting costs 1, rarely 2. Extending a held lock costs 2, over Transport::Direct usually 1.
     *
     * @param int|float $wait Maximum seconds to wait. Not milliseconds: 5000 are 83 minutes. 0: try once. INF: wait
     *        without limit, like `acquire(true)` of other libraries.
     *
     * @return bool true if this object holds the lock now.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, also without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     *
     * @no-discard
     */
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work under the lock and returns its result.
     *
     * It acquires like acquire(). It releases the lock that it acquired when $work returns, throws, exits or ends by a
     * fatal error, even with `autoRelease: false`. A lock that this object already held stays held.
     *
     * One object is one holder. A run() inside run(), or in another Fiber, starts at once, and the last of them to end
     * releases the lock. An exception of $work is rethrown and takes precedence over a lost lock.
     *
     * A function with `yield` returns before its body runs, so the body would run without the lock. Iterate such a
     * generator within $work.
     *
     * Cost: 3 round trips, also for a held lock; over Transport::Direct usually 2.
     *
     * @template T
     * @phpstan-param (callable(): T)|(callable(Lock): T) $work
     *        Receives this Lock, for refresh(), if its first parameter is required or accepts a Lock.
     * @param int|float $wait Maximum seconds to wait, as for acquire().
     * @param-immediately-invoked-callable $work
     *
     * @phpstan-return T
     *
     * @throws LockTimeoutException if the lock could not be acquired within $wait. $work was not run.
     * @throws LockLostException if $work returned and the lock was lost in the meantime, even if $work has acquired it
     *        again. A lock that stays held counts as lost if its TTL expired. A lock that $work released or detached
     *        does not count as lost.
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, also without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Restarts the TTL if this object holds the lock and the lock has not expired. Otherwise, nothing changes. Call
     * acquire() again.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if the lock was not held or has expired.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl TTL for this time: seconds, greater than 0, or INF. null:
     *        the constructor's.
     *
     * @return bool true if the TTL was restarted.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $ttl is out of range.
     *
     * @no-discard
     */
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Releases the lock if this object still holds it. An atomic compare-and-delete never releases another holder's
     * lock.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if the lock was not held.
     *
     * @return bool false if the lock was not held or was lost, or if its TTL and $skew have passed.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     */
    public function release(): bool {}

    /**
     * Releases the lock of any holder. The holder is not notified.
     *
     * Cost: 1 round trip.
     *
     * @return bool true if the key existed, even if the lock had expired.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     */
    public function forceRelease(): bool {}

    /**
     * Hands the lock over: returns the owner's name for restore() in another process.
     *
     * This object no longer holds the lock, and the TTL continues. Only the TTL, or the process that restores the lock,
     * ends it. The end of this process does not.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 with `autoRelease: false` or after restore().
     *
     * @phpstan-return non-empty-string
     *
     * @throws LockLostException if the lock is not held.
     * @throws ServerException if the server is down, or if the outcome is unknown. The lock is then still held.
     *
     * @no-discard
     */
    public function detach(): string {}

    /**
     * Returns whether this object holds the lock and its TTL has not expired.
     *
     * Cost: 0 round trips; 1 with `verify: true`.
     *
     * @param bool $verify true: also ask the server, to detect an eviction, a restart or a forceRelease().
     *
     * @throws ServerException if $verify is true and the server is down or does not reply.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Returns whether the lock has a holder. It changes nothing.
     *
     * A killed holder's lock counts as held until its TTL and $skew have passed, except for processes that know that it
     * has no holder.
     *
     * Cost: 1 round trip.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function isLocked(): bool {}

    /**
     * Returns the seconds that are left of this object's TTL.
     *
     * Cost: 0 round trips.
     *
     * @return float 0.0 if the lock is not held. INF if it never expires.
     */
    public function remaining(): float {}

    /**
     * Returns a fencing token: a number greater than those of all earlier holders.
     *
     * Store the largest token with the data, and reject smaller ones. Tokens grow across evictions and restarts of the
     * server, as long as it makes fewer than 1 million changes per second on average.
     *
     * A token is the server's start in microseconds plus the CAS value of the lock's key. Reading it also verifies the
     * lock. Later calls return the same number.
     *
     * If the server does not report its start, as behind a proxy, tokens come from a number that all locks and
     * semaphores of the Pool's prefix share. A new number usually requires a wait of $skew. All users of a name must
     * reach its server in the same way. See docs/spec/lock-holders.md#fence.
     *
     * Cost: 1 round trip for the first call of an acquisition, then 0. From the shared number 2; 3 with a wait for a
     * new one, 6 if it is created.
     *
     * @throws LockLostException if the lock is not held, has expired or was lost.
     * @throws ServerException if the server is down, or if the shared number cannot be used. This happens with
     *        `skew: INF`, if a host's clock is wrong, or if the wait would exceed the rest of the TTL or 10 s.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function token(): int {}

    /**
     * Returns the name that the key contains while this object holds the lock.
     *
     * Cost: 0 round trips.
     *
     * @phpstan-return non-empty-string
     */
    public function owner(): string {}

    /**
     * Returns the name of the lock's holder, this object or another one. It changes nothing.
     *
     * Cost: 1 round trip.
     *
     * @return string|null null if the lock has no holder. If another client wrote the key, its value.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function currentOwner(): ?string {}

    /**
     * Takes over a lock that was acquired elsewhere under this owner's name, and restarts its TTL.
     *
     * The lock must have been detached there, or created with `autoRelease: false`. If the lock no longer is this
     * owner's, or its end and $skew have passed, the returned object does not hold it, so check isHeld(). The object
     * releases it like any other lock. currentOwner() returns the holder's name without taking the lock.
     *
     * Cost: 2 round trips.
     *
     * @param string $owner Name that detach() or owner() returned, 1 to 255 bytes.
     * @param \DateInterval|\Time\Duration|int|float $ttl TTL from now: seconds, greater than 0, or INF.
     * @param int|float $skew As for the constructor.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $name is empty, or $owner, $ttl or $skew is out of range.
     *
     * @no-discard
     */
    public static function restore(Pool $pool, string $name, string $owner, \DateInterval|\Time\Duration|int|float $ttl = 10, int|float $skew = 1): Lock {}
}

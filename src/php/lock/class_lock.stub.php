<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Lets only one holder at a time work, among all processes and hosts that use the same memcached.
 *
 * Durations are seconds, fractions included. Two objects with the same name exclude each other, even in one process. A
 * lock can be evicted, or lost when memcached restarts. If two simultaneous holders would do harm, send the result of
 * token() with each write.
 *
 * Methods that send a request throw ServerException if the server is down or does not reply. They never return false
 * for that reason.
 *
 * On Linux, a killed holder's lock is immediately free for processes of the same host. If the server stores a lock
 * after acquire() has thrown, the lock is immediately free for processes that use the same shared memory
 * (`mcpatterns.shared_memory`). See docs/classes/lock.md and docs/spec/lock-holders.md.
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
     *        greater than 0. INF: until it is released. A DateInterval is measured from Clock::now(), in UTC. The
     *        holder measures the TTL on its own clock, starting before it sends its request.
     * @param string|null $owner Owner name in the item, 1 to 255 bytes. restore() finds the lock by this name. null: 32
     *        random hexadecimal digits.
     * @param bool $autoRelease true: the lock is released when this object is destroyed, or when the script ends, also
     *        with exit or a fatal error. A forked child never releases it. false: the lock lasts until it is released
     *        or its TTL expires, even if the process is killed.
     * @param int|float $skew Maximum difference between the hosts' wall clocks in seconds, 0 or more, the same in all
     *        processes that use the name. Other callers can take over the lock when both its TTL and this time have
     *        passed, whatever memcached's clock shows. INF: no wall clock is used, and memcached removes the lock up to
     *        3 s after $ttl. Under load, memcached's clock can fall behind and catch up, and the lock can then expire
     *        late or early. See docs/classes/lock.md#clock-skew.
     *
     * @throws \ValueError if $name is empty, or $ttl, $owner or $skew is out of range.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true, int|float $skew = 1) {}

    /**
     * Acquires the lock and returns whether this object holds it.
     *
     * The call retries with random pauses until $wait seconds have passed, and also at the moment when the holder's TTL
     * and $skew have passed. Fairness is not guaranteed. If this object already holds the lock, the TTL restarts. An
     * expired TTL also restarts, if $skew has not passed since it expired.
     *
     * The call blocks the process: a Fiber that holds the lock through another object cannot release it during the
     * wait. Between Fibers of one process, use `wait: 0` and suspend the waiting Fiber between attempts. With
     * `pcntl_async_signals(true)`, handlers of pcntl_signal() run during the wait. An exception from a handler ends the
     * wait.
     *
     * If a reply is lost, the lock's owner is read back. If that read also fails, the call throws. If the server stored
     * the lock although the call threw, processes that use the same shared memory can acquire it immediately. For other
     * processes, the lock remains until this object is destroyed or the lock expires.
     *
     * Cost: 1 round trip if no lock is stored, 2 if the lock is held, 3 if it has expired or its holder was killed.
     * Each further attempt while waiting costs 1, rarely 2. Extending a held lock costs 2, over Transport::Direct
     * usually 1.
     *
     * @param int|float $wait Maximum seconds to wait. Not milliseconds: 5000 is 83 minutes. 0: try once. INF: wait
     *        without limit, like `acquire(true)` of other libraries.
     *
     * @return bool true if this object holds the lock now.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     *
     * @no-discard
     */
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work under the lock and returns its result.
     *
     * run() acquires the lock like acquire(). When $work returns, throws, exits or ends with a fatal error, run()
     * releases the lock that it acquired, even with `autoRelease: false`. If this object already held the lock, the
     * lock remains held.
     *
     * One object is one holder. A run() of the same object inside run(), or in another Fiber, starts immediately. The
     * last of these calls to finish releases the lock. An exception from $work is rethrown and takes precedence over a
     * lost lock.
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
     *        again. A lock that was held before run() counts as lost if its TTL has expired. A lock that $work released
     *        or detached does not count as lost.
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Restarts the TTL if this object holds the lock and the lock has not expired. Otherwise, nothing changes: call
     * acquire() again.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if the lock was not held or has expired.
     *
     * @param \DateInterval|\Time\Duration|int|float|null $ttl TTL for this call: seconds, greater than 0, or INF. null:
     *        the TTL of the constructor.
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
     * Releases the lock if this object still holds it. The release is an atomic compare-and-delete, which never removes
     * another holder's lock.
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
     * Detaches the lock from this object, and returns the owner name for restore() in another process.
     *
     * This object no longer holds the lock, and the TTL continues. The lock lasts until its TTL expires, or until a
     * process that has restored it releases it. The end of this process does not release it.
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
     * @param bool $verify true: also query the server, to detect an eviction, a restart or a forceRelease().
     *
     * @throws ServerException if $verify is true and the server is down or does not reply.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Returns whether the lock has a holder. Read-only.
     *
     * A killed holder's lock counts as held until its TTL and $skew have passed, except, on Linux, for processes of the
     * same host.
     *
     * Cost: 1 round trip.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function isLocked(): bool {}

    /**
     * Returns the seconds until the lock's TTL expires.
     *
     * Cost: 0 round trips.
     *
     * @return float 0.0 if the lock is not held. INF if the lock never expires.
     */
    public function remaining(): float {}

    /**
     * Returns a fencing token: a number greater than the tokens of all previous holders.
     *
     * Store the largest token with the data, and reject smaller tokens. Tokens keep growing across evictions and
     * restarts of the server, as long as the server executes fewer than 1 million changes per second on average.
     *
     * A token is the server's start time in microseconds plus the CAS value of the lock's item. Reading the CAS value
     * also verifies the lock. Later calls return the same number.
     *
     * If the server does not report its start time, for example behind a proxy, tokens come from a shared number. All
     * locks and semaphores with the Pool's prefix share this number. Creating it usually requires a wait of $skew. All
     * processes that use a name must reach the server in the same way, either directly or through a proxy. See
     * docs/spec/lock-holders.md#fence.
     *
     * Cost: 1 round trip for the first call of an acquisition, then 0. With the shared number, the first call costs 2.
     * It costs 3 if it waits because the number is new, and 6 if it creates the number.
     *
     * @throws LockLostException if the lock is not held, has expired or was lost.
     * @throws ServerException if the server is down, or if the shared number cannot be used. This is the case with
     *        `skew: INF`, if the number is too far ahead of this host's clock, or if the wait would exceed the
     *        remaining TTL or 10 s.
     * @throws \Throwable if a signal handler throws during the wait.
     */
    public function token(): int {}

    /**
     * Returns this object's owner name, which is stored in the lock's item while this object holds the lock.
     *
     * Cost: 0 round trips.
     *
     * @phpstan-return non-empty-string
     */
    public function owner(): string {}

    /**
     * Returns the owner name of the lock's current holder. Read-only.
     *
     * Cost: 1 round trip.
     *
     * @return string|null null if the lock has no holder. If another client wrote the key, the result is the value of
     *        the key.
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function currentOwner(): ?string {}

    /**
     * Takes over a lock that another object acquired under the owner name $owner, and restarts its TTL.
     *
     * That object must have detached the lock, or have been created with `autoRelease: false`. If the lock no longer
     * belongs to $owner, or its TTL and $skew have passed, the returned object does not hold the lock, so check
     * isHeld(). The returned object releases the lock like any other Lock. currentOwner() returns the owner name
     * without taking the lock.
     *
     * Cost: 2 round trips.
     *
     * @param string $owner Owner name that detach() or owner() returned, 1 to 255 bytes.
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

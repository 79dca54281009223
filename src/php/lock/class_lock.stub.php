<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * One holder at a time, among all processes and hosts that use the same memcached: `add` of a key whose
 * value names its holder and says until when, and `cas` of one whose holder's time is over.
 *
 * Durations are seconds, fractions allowed. Every method that asks the server throws ServerException
 * when it could not be reached or did not answer: "could not ask" is never `false`. A lock lives in
 * memcached and can be evicted or lost in a restart; work that must not be done twice even then sends
 * token() along to where it writes. Two objects of one name exclude each other, also in one process.
 *
 * A lock that nobody holds, as its process was killed or its server stored it after its caller had given up, is free at once to the
 * processes of the same host: on Linux; for a caller that lives, to processes that share its memory.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Lock
{
    /**
     * Asks no server.
     *
     * $ttl, greater than 0: how long an acquisition lasts unless it is refreshed; INF: until it is released.
     * A DateInterval is as long as from now on by Clock::now(), in UTC. The holder counts it on his own clock from before he asked. $owner, 1 to 255 bytes: the name
     * stored in the key, by which restore() finds it; null: 32 random digits. $autoRelease: the lock is
     * released when this object dies, the script ends, exits or fails, but never by a forked child. With
     * false only release() and its TTL end it, also when its process is killed.
     *
     * $skew: by how many seconds the hosts' wall clocks differ at most, the same for all processes
     * that use the name. Others take the lock over when its end, which stands in the key, is longer
     * ago than that, whatever memcached's clock says; on another host a dead holder's lock is free $skew after its
     * $ttl. INF believes no wall clock: memcached's TTL, up to 3 seconds longer than $ttl, ends it,
     * and may under load be late, or early after it was late.
     */
    public function __construct(Pool $pool, string $name, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true, int|float $skew = 1) {}

    /**
     * True when this object holds the lock now. Tries until $wait seconds have passed, with pauses of at
     * most an eighth of what was waited so far (2 to 100 ms, random), and at the moment when the lock
     * is free by what its key says; 0 tries once, INF goes on until it has it. Seconds, not milliseconds: 5000 are 83 minutes, and no wait
     * is refused for its length. True or false is a TypeError, also without strict_types: other libraries' acquire(true) is acquire(INF). The caller that waits longest has no better chance. A lock that this
     * object holds already is extended, also when its TTL has run out but not $skew too. 1 round trip
     * when it is free, 2 when it is taken, 3 to take it over when it is over or nobody holds it; 1 for each further
     * look; 2 to extend.
     *
     * It blocks the whole process: a Fiber that holds the lock by another object cannot release it while
     * this one waits. Between Fibers of one process try with 0 and suspend.
     *
     * With pcntl_async_signals(true), handlers of pcntl_signal() run while it waits: one that throws ends
     * the waiting, after another it goes on.
     *
     * An attempt whose answer did not come is settled by asking who holds the lock; when that cannot be
     * asked either it is a ServerException. What may have been stored then is free at once to processes that share this one's memory;
     * it is removed when this object dies, or runs out.
     *
     * @no-discard
     */
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work under the lock and returns its result: acquires as acquire() does, and releases when
     * $work returns, throws or exits, or the script fails, also without autoRelease. $work is given this
     * Lock, so that it can refresh(), when its first parameter is required, or optional of a type that a
     * Lock has. A lock that this object held before stays held. The object is one holder: run() inside
     * run(), or beside it in another Fiber, goes in at once, and the last of them to end releases.
     * A function with `yield` returns before any of its body has run, which then runs without the lock:
     * iterate such a generator within $work.
     *
     * LockTimeoutException: it could not be had, $work was not run. LockLostException: $work has returned,
     * but the lock was lost in the middle, even if $work has acquired it again; one that was to stay held,
     * also when its TTL has run out. What $work released or detached is not lost. An exception of $work
     * goes before that. 3 round trips, 2 over Transport::Direct with proofs.
     *
     * @template T
     * @phpstan-param (callable(): T)|(callable(Lock): T) $work
     * @param-immediately-invoked-callable $work
     * @phpstan-return T
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Starts the TTL again, with $ttl for this time or else the constructor's, if it has not run out and
     * the lock is still this object's. False when not, and nothing changed: acquire it again. 2 round
     * trips (1 over Transport::Direct with proofs), none when it was not held or has run out.
     *
     * @no-discard
     */
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Frees the lock if it is still this object's: compared and deleted atomically, so another holder's
     * is never freed. False when it was not held, had been lost, or its TTL and $skew were over. 2 round
     * trips (1 over Transport::Direct with proofs), none when not held.
     */
    public function release(): bool {}

    /**
     * Frees the lock of any holder; false when its key is gone. The holder is not told. True also when
     * the key was there and its time was over. 1 round trip.
     */
    public function forceRelease(): bool {}

    /**
     * Hands the lock over: returns the owner's name for restore() in another process. This object does
     * not hold the lock any more, and nothing releases it but its TTL, which goes on, and the process that
     * restores it: also the end of this process does not. 2 round trips (1 over Transport::Direct with proofs), none with
     * autoRelease: false or after restore(). LockLostException when it is not held; ServerException: it is held still.
     *
     * @no-discard
     * @phpstan-return non-empty-string
     */
    public function detach(): string {}

    /**
     * Whether this object holds the lock and its TTL has not run out. $verify asks the server too, and
     * sees an eviction, a restart or a forceRelease(). No round trip; 1 with $verify.
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Whether the lock has a holder. A dead holder's is held until its TTL and $skew are over, but for processes that
     * know that nobody holds it. Changes nothing. 1 round trip.
     */
    public function isLocked(): bool {}

    /**
     * How many seconds of this object's TTL are left; 0.0 when it does not hold the lock, INF without an
     * end. No round trip.
     */
    public function remaining(): float {}

    /**
     * A fencing token: a number that is larger than those of all earlier holders, also across evictions
     * and restarts of the server, as long as it makes fewer than a million changes a second on average.
     * Whatever is written under the lock can refuse a smaller token than it has seen. It is the server's
     * start in microseconds plus the cas id of the lock's key, read in one round trip that also proves
     * the lock is still held; later calls answer the same without asking.
     *
     * Where the server's own statistics are not to be had, as through a proxy, it is counted on a number
     * that all locks and semaphores of the pool's prefix share: 2 round trips, and when that number is new
     * 4 more and a wait of mostly $skew. All users of a name must reach its server alike.
     *
     * LockLostException when the lock is not held, has run out or was lost. ServerException when that
     * number cannot be used: with $skew INF, when a host's clock is wrong, or when the wait would be
     * longer than the lock is held or than 10 s.
     */
    public function token(): int {}

    /**
     * The name stored in the key while this object holds the lock.
     *
     * @phpstan-return non-empty-string
     */
    public function owner(): string {}

    /**
     * The name of the lock's holder, this object or any other; null when it has none. Of a key that
     * another client has written: its value. Changes nothing. 1 round trip.
     */
    public function currentOwner(): ?string {}

    /**
     * The lock that was acquired elsewhere under this owner's name, and detached there (or created
     * with autoRelease: false): takes it over and starts its TTL again with $ttl. When it is not this
     * owner's any more, or its time and $skew are over, the object does not hold it: ask isHeld(). It
     * is released as any other. To learn the holder's name ask currentOwner(), which takes nothing. 2
     * round trips.
     *
     * @no-discard
     */
    public static function restore(Pool $pool, string $name, string $owner, \DateInterval|\Time\Duration|int|float $ttl = 10, int|float $skew = 1): Lock {}
}

<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * At most so many holders at a time, among all processes and hosts that use the same memcached: three exports beside each
 * other, ten connections to a service. Each permit is a lock of its own, with all that Lock promises of one.
 *
 * All that use one name must give it the same number of permits. Durations are seconds, fractions allowed. Every method
 * that asks the server throws ServerException when it could not be reached or did not answer: "could not ask" is never
 * `false`. Permits live in memcached and can be evicted or lost in a restart: then there are more holders than permits
 * until the lost ones' TTLs end. The hosts' wall clocks must agree to a second. Two objects of one name are two holders. A permit
 * that nobody holds is free at once to the processes of the same host, as a Lock's.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Semaphore
{
    /**
     * Asks no server. $permits, 1 to 1000: how many holders there may be at a time.
     *
     * $ttl, greater than 0: how long an acquisition lasts unless it is refreshed; INF: until it is released. A DateInterval
     * is as long as from now on by Clock::now(), in UTC. The holder counts it on its own clock from before it asked; on another
     * host a dead holder's permit is free a second after it. $owner, 1 to 255 bytes: the name stored in the permit's key, for people;
     * null: 32 random digits. $autoRelease: the permit is released when this object dies, the script ends, exits or
     * fails, but never by a forked child. With false only release() and its TTL end it.
     */
    public function __construct(Pool $pool, string $name, int $permits, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true) {}

    /**
     * True when this object holds a permit now. Tries until $wait seconds have passed, with pauses as Lock::acquire()
     * makes them, and at the moment when a permit is free by what its key says; 0 tries once, INF goes on until it has
     * one; as there, seconds, not milliseconds, and no bool. The caller that waits longest has no better chance. A permit that this object holds already is extended, and
     * stays the same one. 2 round trips, 1 when all are taken, for each 8,000 bytes of keys; 2 more for each permit that
     * another took in between or that a dead holder left; 1 for each further look; 2 to extend. Over Transport::Direct, with up
     * to 32 permits, 1 round trip instead of 2 when the one that it tries first, any of all, is free.
     *
     * An attempt whose answer did not come is settled by asking who holds that permit; when that cannot be asked either it
     * is a ServerException, no other permit is tried, and what may have been stored is removed when this object dies.
     *
     * @no-discard
     * @implementation-alias McPatterns\Lock::acquire
     */
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work with a permit and returns its result: acquires as acquire() does, and releases when $work returns, throws
     * or exits, or the script fails, also without autoRelease. $work is given this Semaphore, so that it can ask permit()
     * and refresh(), when its first parameter is required, or optional of a type that a Semaphore has. A permit that this
     * object held before stays held. A function with `yield` returns before any of its body has run, which then runs without
     * the permit: iterate such a generator within $work.
     *
     * LockTimeoutException: none could be had, $work was not run. LockLostException: $work has returned, but the permit was
     * lost in the middle. An exception of $work goes before that. 4 round trips; over Transport::Direct 2 when the first permit tried
     * is free.
     *
     * @template T
     * @phpstan-param (callable(): T)|(callable(Semaphore): T) $work
     * @param-immediately-invoked-callable $work
     * @phpstan-return T
     * @implementation-alias McPatterns\Lock::run
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Starts the TTL again, with $ttl for this time or else the constructor's, if it has not run out and the permit is
     * still this object's. False when not, and nothing changed: acquire again. 2 round trips, none when none was held.
     *
     * @no-discard
     * @implementation-alias McPatterns\Lock::refresh
     */
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Frees the permit if it is still this object's, compared and deleted atomically. False when none was held, it had
     * been lost, or its time was over. 2 round trips, none when none was held.
     *
     * @implementation-alias McPatterns\Lock::release
     */
    public function release(): bool {}

    /**
     * Whether this object holds a permit and its TTL has not run out. $verify asks the server too, and sees an eviction or
     * a restart. No round trip; 1 with $verify.
     *
     * @implementation-alias McPatterns\Lock::isHeld
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * How many permits nobody holds at this moment. Changes nothing. 1 round trip for each 8,000 bytes of keys.
     *
     * @phpstan-return int<0, max>
     */
    public function available(): int {}

    /**
     * A fencing token, as Lock::token(): larger than those of all earlier holders of the same permit(). Tokens of two
     * permits are not to be compared. 1 round trip, and the server's start once for a connection, as with Lock::token();
     * where the server does not tell it 2, and when what tokens are counted on is new 4 more and a wait of a second.
     *
     * @implementation-alias McPatterns\Lock::token
     */
    public function token(): int {}

    /**
     * Which permit this object holds, from 0 to permits - 1: the same number while it is held, and no other holder's
     * meanwhile, so a worker can have a port, a temporary directory or a connection by it. No round trip.
     * LockLostException when none is held, it has run out or was lost.
     *
     * @phpstan-return int<0, max>
     */
    public function permit(): int {}
}

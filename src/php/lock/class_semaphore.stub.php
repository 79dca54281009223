<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Lets at most N holders work at the same time, among all processes and hosts that use the same memcached.
 *
 * For example: three concurrent exports, ten connections to a service. Each permit is a lock with all guarantees of
 * Lock. All processes that use a name must use the same number of permits. Two objects with the same name are two
 * holders. Durations are seconds, fractions included. The hosts' wall clocks must agree to within 1 s.
 *
 * Methods that send a request throw ServerException if the server is down or does not reply. They never return false
 * for that reason. Permits can be evicted, or lost when memcached restarts. There can then be more holders than permits
 * until the TTLs of the lost permits expire.
 *
 * On Linux, a killed holder's permit is immediately free for processes of the same host, as with Lock. See
 * docs/classes/semaphore.md.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class Semaphore
{
    /**
     * Creates a semaphore object. No network access.
     *
     * @param int $permits Maximum number of holders at a time, 1 to 1000.
     * @param \DateInterval|\Time\Duration|int|float $ttl Seconds that an acquisition lasts unless it is refreshed,
     *        greater than 0. INF: until it is released. A DateInterval is measured from Clock::now(), in UTC. The
     *        holder measures the TTL on its own clock, starting before it sends its request. For processes of other
     *        hosts, a killed holder's permit is free 1 s after the TTL.
     * @param string|null $owner Owner name in the permit's item, for human readers, 1 to 255 bytes. null: 32 random
     *        hexadecimal digits.
     * @param bool $autoRelease true: the permit is released when this object is destroyed, or when the script ends,
     *        also with exit or a fatal error. A forked child never releases it. false: the permit lasts until it is
     *        released or its TTL expires.
     *
     * @throws \ValueError if $name is empty, or $permits, $ttl or $owner is out of range.
     */
    public function __construct(Pool $pool, string $name, int $permits, \DateInterval|\Time\Duration|int|float $ttl = 10, ?string $owner = null, bool $autoRelease = true) {}

    /**
     * Acquires a permit and returns whether this object holds a permit.
     *
     * The call retries with random pauses until $wait seconds have passed, and also when a permit expires. Fairness is
     * not guaranteed. If this object already holds a permit, it keeps the same permit, and the TTL restarts.
     *
     * If a reply is lost, the permit's owner is read back. If that read also fails, the call throws and does not try
     * another permit. If the server stored the permit although the call threw, the permit remains until this object is
     * destroyed or the permit expires.
     *
     * Cost: 2 round trips; if all permits are taken, 1 per 8,000 bytes of keys. Each permit that another caller took
     * first, or that belonged to a killed holder, costs 2 more. Each further attempt while waiting costs 1, rarely 2.
     * Extending a held permit costs 2. Over Transport::Direct, with up to 32 permits, 1 if the first permit that the
     * call tries (a random permit) is free.
     *
     * @param int|float $wait Maximum seconds to wait, not milliseconds. 0: try once. INF: wait without limit.
     *
     * @return bool true if this object holds a permit now.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     *
     * @no-discard
     * @implementation-alias McPatterns\Lock::acquire
     */
    public function acquire(int|float $wait = 0): bool {}

    /**
     * Runs $work with a permit and returns its result.
     *
     * run() acquires a permit like acquire(). It releases this permit when $work returns, throws, exits or ends with a
     * fatal error, even with `autoRelease: false`. If this object already held a permit, the permit remains held. An
     * exception from $work is rethrown and takes precedence over a lost permit.
     *
     * A function with `yield` returns before its body runs, so the body would run without the permit. Iterate such a
     * generator within $work.
     *
     * Cost: 4 round trips; over Transport::Direct 2 if the first permit that the call tries is free.
     *
     * @template T
     * @phpstan-param (callable(): T)|(callable(Semaphore): T) $work
     *        Receives this Semaphore, for permit() and refresh(), if its first parameter is required or accepts a
     *        Semaphore.
     * @param int|float $wait Maximum seconds to wait, as for acquire().
     * @param-immediately-invoked-callable $work
     *
     * @phpstan-return T
     *
     * @throws LockTimeoutException if no permit could be acquired within $wait. $work was not run.
     * @throws LockLostException if $work returned and the permit was lost in the meantime.
     * @throws ServerException if the server is down, or if the outcome is unknown.
     * @throws \ValueError if $wait is negative or not a number.
     * @throws \TypeError if $wait is a bool, even without strict_types.
     * @throws \Throwable if a signal handler throws during the wait.
     *
     * @implementation-alias McPatterns\Lock::run
     */
    public function run(callable $work, int|float $wait = 0): mixed {}

    /**
     * Restarts the TTL if this object holds a permit that has not expired. Otherwise, nothing changes: call acquire()
     * again.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if no permit was held.
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
     * @implementation-alias McPatterns\Lock::refresh
     */
    public function refresh(\DateInterval|\Time\Duration|int|float|null $ttl = null): bool {}

    /**
     * Releases the permit if this object still holds it. The release is an atomic compare-and-delete.
     *
     * Cost: 2 round trips; over Transport::Direct usually 1; 0 if no permit was held.
     *
     * @return bool false if no permit was held, or if the permit was lost or had expired.
     *
     * @throws ServerException if the server is down, or if the outcome is unknown.
     *
     * @implementation-alias McPatterns\Lock::release
     */
    public function release(): bool {}

    /**
     * Returns whether this object holds a permit and its TTL has not expired.
     *
     * Cost: 0 round trips; 1 with `verify: true`.
     *
     * @param bool $verify true: also query the server, to detect an eviction or a restart.
     *
     * @throws ServerException if $verify is true and the server is down or does not reply.
     *
     * @implementation-alias McPatterns\Lock::isHeld
     */
    public function isHeld(bool $verify = false): bool {}

    /**
     * Returns how many permits are free at this moment. Read-only.
     *
     * Cost: 1 round trip per 8,000 bytes of keys.
     *
     * @phpstan-return int<0, max>
     *
     * @throws ServerException if the server is down or does not reply.
     */
    public function available(): int {}

    /**
     * Returns a fencing token like Lock::token(): greater than the tokens of all previous holders of the same permit().
     *
     * Tokens of two permits cannot be compared.
     *
     * Cost: 1 round trip for the first call of an acquisition, then 0. The server's start time is read once per
     * connection. If the server does not report its start time, the token comes from a shared number. The first call
     * then costs 2. It costs 3 if it waits (1 s) because the number is new, and 6 if it creates the number.
     *
     * @throws LockLostException if no permit is held, or if the permit has expired or was lost.
     * @throws ServerException if the server is down, or if the shared number cannot be used.
     * @throws \Throwable if a signal handler throws during the wait.
     *
     * @implementation-alias McPatterns\Lock::token
     */
    public function token(): int {}

    /**
     * Returns the number of the permit that this object holds.
     *
     * The number does not change while the permit is held, and no other holder has the same number. A worker can use it
     * for a port, a temporary directory or a connection.
     *
     * Cost: 0 round trips.
     *
     * @phpstan-return int<0, max>
     *        The number, from 0 to permits - 1.
     *
     * @throws LockLostException if no permit is held, or if the permit has expired or was lost.
     */
    public function permit(): int {}
}

<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * Stores PHP's sessions in a Pool, for session_set_save_handler() and for frameworks that call a handler themselves.
 *
 * With `session.save_handler = mcpatterns` in php.ini, no object is needed. Each write contains the CAS value of the
 * version that it is based on. If another request has stored a later version, both versions are merged by key. If a
 * merge is impossible, the write is rejected. With Locking::None, the write replaces the later version. See
 * docs/classes/sessions.md.
 *
 * An object has one session open at a time. Without open(), read() opens the session, and write() and destroy() release
 * the lock. The lock is also released when the object is destroyed or the request ends. A forked child never releases
 * its parent's lock.
 *
 * A method that fails throws, and the stored session is kept. LockTimeoutException: another request held the lock until
 * the end of the wait. ServerException: the server is down or has lost the session. StoredValueException: the stored
 * session has another format, or cannot be merged. TooLargeException: the session exceeds the server's item limit.
 * Messages never contain the session's id.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class SessionHandler implements \SessionHandlerInterface, \SessionIdInterface, \SessionUpdateTimestampHandlerInterface
{
    /**
     * Creates a session handler. No network access.
     *
     * Sessions are signed if the Pool has a signingKey, and compressed like the Pool's other values. The Pool's
     * failover does not apply to sessions.
     *
     * @param Locking|null $locking See Locking. null: Lock.
     * @param int|float $lockWait Maximum seconds that a request waits for another request's lock, 0 or more.
     * @param int|float $lockExpire Seconds until a lock expires, greater than 0. A waiting request takes over the lock
     *        1 s later, so a killed request does not block others for long.
     * @param int|null $ttl Seconds that a session lives after its last request, at least 1. null:
     *        session.gc_maxlifetime.
     * @param string|null $format PHP's format of the data: php, php_serialize, php_binary, igbinary or msgpack. null:
     *        session.serialize_handler. Only sessions in the formats php and php_serialize can be merged. Frameworks
     *        that call the handler themselves use php_serialize.
     * @param int $mergeDepth Number of array levels at which changes of two requests are merged, 1 to 8.
     * @param string|null $foreignPrefix Key prefix of another handler's sessions, such as `memc.sess.key.`. If a
     *        session is missing, it is read from the item of that handler. null: disabled.
     *
     * @throws \ValueError if an option is out of range, or if $foreignPrefix is set and the Pool has a signingKey.
     *        Sessions of another handler are unsigned, so any client that can write to memcached can choose their data.
     */
    public function __construct(
        Pool $pool, ?Locking $locking = null, int|float $lockWait = 35, int|float $lockExpire = 30, ?int $ttl = null, ?string $format = null,
        int $mergeDepth = 1, ?string $foreignPrefix = null,
    ) {}

    /**
     * Does nothing: the Pool determines where sessions are stored. No network access.
     *
     * @param string $path Ignored.
     * @param string $name Ignored.
     *
     * @return bool true.
     */
    public function open(string $path, string $name): bool {}

    /**
     * Closes the session and releases its lock if it is still held.
     *
     * Cost: 1 round trip if the lock is held, otherwise 0.
     *
     * @return bool true.
     */
    public function close(): bool {}

    /**
     * Returns the session's data. With Locking::Lock, read() also acquires the session's lock.
     *
     * Cost: over Transport::Direct 1 round trip. Over libmemcached 2 with a lock, otherwise 1. Each poll while waiting
     * costs 1.
     *
     * @param string $id The session's id.
     *
     * @return string The data. Empty: there is no session.
     *
     * @throws LockTimeoutException if another request held the lock until the end of $lockWait.
     * @throws ServerException if the server is down or does not reply.
     * @throws StoredValueException if the stored session has another format.
     * @throws \ValueError if $id is empty.
     */
    public function read(string $id): string {}

    /**
     * Stores the session's data.
     *
     * If another request destroyed the session meanwhile, the write is dropped, which counts as success. If the session
     * was not read, $data is merged with the stored session. If read() threw, the next write() throws the same
     * exception, because the data was created without the stored session.
     *
     * Cost: 1 round trip; over libmemcached with a lock 2. Each other request that stored the session meanwhile costs 2
     * more. A session that was not read also costs 2 more.
     *
     * @param string $id The session's id.
     * @param string $data The session in the handler's format.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down, has lost the session, or does not reply and the outcome is
     *        unknown.
     * @throws StoredValueException if the sessions cannot be merged.
     * @throws TooLargeException if the session exceeds the server's item limit.
     * @throws LockTimeoutException if read() threw it.
     * @throws \ValueError if $id is empty.
     */
    public function write(string $id, string $data): bool {}

    /**
     * Deletes the session, whatever other requests have stored since it was read.
     *
     * Requests that began before the call cannot store the session again. They also cannot change a new session with
     * the same id.
     *
     * Cost: 1 round trip; over libmemcached with a lock 2. If memcached has no memory for the item that records the
     * deletion (-M), deleting the session costs 2 or 3 more.
     *
     * @param string $id The session's id.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty.
     */
    public function destroy(string $id): bool {}

    /**
     * Does nothing: memcached removes expired sessions. No network access.
     *
     * @param int $max_lifetime Ignored.
     *
     * @return int 0.
     */
    public function gc(int $max_lifetime): int {}

    /**
     * Returns a random id with the length that session.sid_length sets. No network access.
     *
     * The id is chosen so that a server whose circuit breaker is closed stores the session, if there is such a server.
     *
     * @throws \Throwable if the system's random number generator fails.
     */
    public function create_sid(): string {}

    /**
     * Returns whether a session with this id might exist.
     *
     * Cost: as for read(). A read() that follows sends no further request.
     *
     * @param string $id The session's id.
     *
     * @return bool false if no session with this id exists. If the server is down, the result is true, and read()
     *        throws.
     *
     * @throws \ValueError if $id is empty.
     */
    public function validateId(string $id): bool {}

    /**
     * Extends the session to $ttl seconds from now, like write() with the data that was read.
     *
     * Cost: 0 round trips if read() has renewed the session, otherwise as for write().
     *
     * @param string $id The session's id.
     * @param string $data The session in the handler's format.
     *
     * @return bool true. A failure throws.
     *
     * @throws ServerException if the server is down, has lost the session, or does not reply and the outcome is
     *        unknown.
     * @throws StoredValueException if the sessions cannot be merged.
     * @throws TooLargeException if the session exceeds the server's item limit.
     * @throws LockTimeoutException if read() threw it.
     * @throws \ValueError if $id is empty.
     */
    public function updateTimestamp(string $id, string $data): bool {}

    /**
     * Returns the request that holds the session's lock. Read-only.
     *
     * Cost: 1 round trip.
     *
     * @param string $id The session's id.
     *
     * @return string|null The holder as "host pid start path". null: no request holds the lock.
     *
     * @throws ServerException if the server is down or does not reply.
     * @throws \ValueError if $id is empty.
     */
    public function holder(string $id): ?string {}
}

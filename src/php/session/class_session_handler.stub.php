<?php

/** @generate-class-entries */

namespace McPatterns;

/**
 * PHP's sessions on a Pool, for session_set_save_handler() and for frameworks that call a handler themselves; php.ini's
 * session.save_handler = mcpatterns needs no object. The lock is a courtesy, the cas id is the guarantee: each write says which
 * version it is made of, and where another request has stored since it was read, both are merged, key by key, or the
 * write is refused, as the mode says (docs/classes/sessions.md).
 *
 * An object has one session open at a time. Used without open(), read() opens, and write() and destroy() give the lock back;
 * so do the object's end and the request's. A child of a fork gives back nothing that its parent holds.
 *
 * What cannot be done throws, and leaves the stored session as it was: LockTimeoutException where the lock is another's until the end
 * of the wait, ServerException where the server could not be asked or has lost the session, StoredValueException where what is stored
 * is of another format, or cannot be merged, TooLargeException where the session is larger than a server takes. They never have the
 * session's id in their message.
 *
 * @strict-properties
 * @not-serializable
 * @phpstan-all-methods-impure
 */
final class SessionHandler implements \SessionHandlerInterface, \SessionIdInterface, \SessionUpdateTimestampHandlerInterface
{
    /**
     * Asks no server.
     *
     * $locking: null is Locking::Lock. $lockWait: seconds that a request waits for another one's lock, at least 0. $lockExpire: seconds
     * after which a lock is over, more than 0; those who wait take it over a second later, so that a killed request blocks nobody
     * for long. $ttl: seconds that a session lives after its last request, at least 1; null: session.gc_maxlifetime. $format: which of PHP's
     * formats the data is in, php, php_serialize, php_binary, igbinary or msgpack; null: session.serialize_handler. Only the first
     * two can be merged. Frameworks that call the handler themselves have php_serialize. $mergeDepth, 1 to 8: down to which level
     * arrays are merged that two requests have changed.
     *
     * $foreignPrefix: the prefix of another handler's keys, as "memc.sess.key.": where there is no session, its item is read as old data. null: none.
     * A ValueError if the Pool has a signingKey: such an item is not signed, so it would let anybody who can write to memcached choose the data.
     *
     * Sessions are signed where the Pool has a signingKey, and compressed as its other values are. failover plays no part.
     */
    public function __construct(
        Pool $pool, ?Locking $locking = null, int|float $lockWait = 35, int|float $lockExpire = 30, ?int $ttl = null, ?string $format = null,
        int $mergeDepth = 1, ?string $foreignPrefix = null,
    ) {}

    /** True. Asks no server: the Pool says where sessions are. */
    public function open(string $path, string $name): bool {}

    /** True, and the lock is given back if it is still held: 1 round trip then. */
    public function close(): bool {}

    /**
     * The session's data, '' where there is none. By lock it waits for its turn: 1 round trip over Direct, 2 over libmemcached,
     * and 1 for each look while it waits; without a lock 1.
     */
    public function read(string $id): string {}

    /**
     * True when the data is stored, also where the session was destroyed meanwhile, and stays so. 1 round trip, 2 by lock over libmemcached; 2 more
     * for each other request that has come between. Data of an id that was not read is merged with what is there: 2 more.
     * After a read() that has thrown it throws the same, once, as the data was made without the session that is there.
     */
    public function write(string $id, string $data): bool {}

    /**
     * True when no session of this id is left, whatever other requests have stored since it was read. Requests that began before cannot
     * store it again, nor add to a session that is begun later. 1 round trip, 2 by lock over libmemcached. On a memcached that has no
     * memory for this (-M) the session is deleted: 2 or 3 more.
     */
    public function destroy(string $id): bool {}

    /** 0: memcached ends what is too old. Asks no server. */
    public function gc(int $max_lifetime): int {}

    /** A random id, as session.sid_length says; where servers are left alone one of those that are not. Asks no server. */
    public function create_sid(): string {}

    /**
     * False when it is known that there is no session of this id. True where the server could not be asked: read() says so then. The
     * round trips of read(), which asks no more after it.
     */
    public function validateId(string $id): bool {}

    /** Keeps the session for another $ttl, as write() with the data that was read; 0 round trips where read() has renewed it. */
    public function updateTimestamp(string $id, string $data): bool {}

    /**
     * The request that holds the session's lock, as "host pid start path"; null when nobody does. Throws ServerException.
     * Changes nothing. 1 round trip.
     */
    public function holder(string $id): ?string {}
}

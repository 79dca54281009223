<?php

/** @generate-class-entries static */

namespace McPatterns;

/** Key distribution: which server of a Pool stores a key. See docs/classes/pool.md#key-distribution. */
enum Distribution
{
    /**
     * CRC32 of the key, modulo the number of servers, as in classic clients. Weights are ignored. Adding or removing a
     * server moves nearly all keys.
     */
    case Modulo;

    /** Consistent hash ring, weighted. Adding or removing a server moves only its share of the keys. */
    case Ketama;

    /**
     * Jenkins' one-at-a-time hash of the key, modulo the number of servers, as in php-memcached without options.
     * Weights are ignored. Adding or removing a server moves nearly all keys.
     */
    case OneAtATime;
}

/**
 * Format in which a Pool writes arrays, objects and null. Reads do not depend on this choice, because the flags of an
 * item name its format. See docs/classes/values.md#options.
 */
enum Serializer
{
    /** serialize() and unserialize(). */
    case Php;

    /** The igbinary extension. Values that contain enum cases are written with serialize(). */
    case Igbinary;

    /**
     * JSON, for arrays that programs in other languages read. Storing an object, INF, NAN, invalid UTF-8 or a recursive
     * array throws TypeError. References become values.
     */
    case Json;

    /**
     * The msgpack extension. Values that contain objects or references, or are nested deeper than 512 levels, are
     * written with serialize().
     */
    case Msgpack;
}

/** Compression of large values. A Pool can read every compression that is built in. */
enum Compression
{
    /** Values are stored uncompressed. */
    case None;

    /** zlib. Requires mcpatterns to be built with zlib. */
    case Zlib;

    /** zstd. Requires mcpatterns to be built with libzstd. */
    case Zstd;
}

/** When the elected caller of remember() rebuilds a stale value. */
enum Refresh
{
    /** Immediately. The elected caller waits for its own result. */
    case Inline;

    /**
     * After the response has been sent. The elected caller gets the stale value immediately. In some cases, the
     * rebuild runs immediately: see remember().
     */
    case AfterResponse;
}

/** Transport of a Pool's requests to its servers. See docs/start/transports.md. */
enum Transport
{
    /**
     * libmemcached, with the text protocol. The Pool's constructor throws ValueError if mcpatterns was built without
     * libmemcached. `php --ri mcpatterns` shows what is built in.
     */
    case Libmemcached;

    /**
     * The built-in transport. A read of a string takes a third of the processor instructions of libmemcached. The
     * timeout also limits a reply that a server sends byte by byte.
     */
    case Direct;
}

/** Algorithm of a RateLimiter. See docs/classes/rate-limiter.md. */
enum Limiting
{
    /**
     * Counts attempts in consecutive windows, each one period long. Around the boundary of two windows, up to twice the
     * limit is admitted. A rejected attempt is counted, too. Cost: 1 round trip.
     */
    case FixedWindow;

    /**
     * Admits at most the limit in any interval of one period's length. Attempts are counted in time slots. Cost: 2
     * round trips.
     */
    case SlidingWindow;

    /**
     * Admits a burst, then single attempts at an even rate (generic cell rate algorithm). Cost: 2 round trips, more
     * under contention.
     */
    case TokenBucket;
}

/** Locking of concurrent requests with the same session. See docs/classes/sessions.md. */
enum Locking
{
    /** Requests run one at a time, as with PHP's session files. */
    case Lock;

    /**
     * Requests run concurrently. Their changes are merged by key. If two requests changed a key, the later change is
     * kept.
     */
    case Merge;

    /** Requests run concurrently. The session that is stored last replaces the earlier versions as a whole. */
    case None;
}

/** State of a key in a Cache. */
enum Status
{
    /** The value is fresh. */
    case Fresh;

    /**
     * The value is stale. No caller is rebuilding it, and this caller was not elected, for example because entry()
     * elects no caller, or because of a pause.
     */
    case Stale;

    /**
     * lookup(): this caller alone should compute the value, and a stale value is available. remember(): this call has
     * computed the value.
     */
    case Elected;

    /** Another caller is computing the value. The entry's value is the stale value, or null if there is none. */
    case Busy;

    /** No value exists, and no caller is computing it. */
    case Miss;
}

<?php

/**
 * The choices that McPatterns offers.
 *
 * @generate-class-entries static
 */

namespace McPatterns;

/** How the keys of a Pool are spread over its servers. */
enum Distribution
{
    /**
     * crc32 of the key, modulo the number of servers: the placement that classic clients share.
     * A server more or less moves nearly all keys.
     */
    case Modulo;

    /** The consistent ring, weighted: a server more or less moves only its share of the keys. */
    case Ketama;

    /**
     * Jenkins' one-at-a-time hash of the key, modulo the number of servers: the placement of php-memcached where no option is set.
     * Weights count for nothing. A server more or less moves nearly all keys.
     */
    case OneAtATime;
}

/**
 * How values that are neither strings nor scalars become bytes. What a Pool reads does not depend on it:
 * which one wrote a value stands in its flags.
 */
enum Serializer
{
    /** serialize() and unserialize(). */
    case Php;

    /** The igbinary extension. Values with cases of enums are written by serialize(). */
    case Igbinary;

    /**
     * JSON: arrays and scalars, readable by other languages. Objects, INF and NAN, strings that are no UTF-8
     * and arrays that contain themselves are a TypeError; references become values.
     */
    case Json;

    /** The msgpack extension. Values with objects or references are written by serialize(). */
    case Msgpack;
}

/** How large values are made smaller. What a Pool reads does not depend on it. */
enum Compression
{
    case None;

    /** Needs an extension that was built with zlib. */
    case Zlib;

    /** Needs an extension that was built with libzstd. */
    case Zstd;
}

/** When the caller that was elected to rebuild a value does it. */
enum Refresh
{
    /** At once: the elected caller waits for its own result. */
    case Inline;

    /** After the response was sent: the elected caller gets the old value at once. */
    case AfterResponse;
}

/** What carries a Pool's requests to its servers. */
enum Transport
{
    /** libmemcached, by its text protocol. A ValueError where mcpatterns was built without it, as `php --ri mcpatterns` says. */
    case Libmemcached;

    /** A connection of our own: a string read takes a third of the instructions, and a server that sends byte by byte is cut
     * off by the timeout. */
    case Direct;
}

/** How a RateLimiter counts time. */
enum Limiting
{
    /**
     * From one multiple of the period to the next: 1 round trip, up to twice the limit around the boundary between
     * two. A refused attempt counts, too.
     */
    case FixedWindow;

    /** In no interval of the period more than the limit, by slots of time. 2 round trips. */
    case SlidingWindow;

    /** Smoothly, after a burst one at a time (the generic cell rate algorithm). 2 round trips, more when many contend. */
    case TokenBucket;
}

/** How requests of one session get along with each other. */
enum Locking
{
    /** One after the other, as with PHP's own files. */
    case Lock;

    /** Side by side: what each has changed is merged, key by key. Of what two have changed the later one's stays. */
    case Merge;

    /** Side by side: the session of the one that is stored last stays as a whole. */
    case None;
}

/** What a cache found for a key, and what the caller is to do. */
enum Status
{
    /** A value before its soft expiry. */
    case Fresh;

    /** A value past its soft expiry that no caller is rebuilding. */
    case Stale;

    /** This caller, and no other, is to compute the value; the old one is there, too. */
    case Elected;

    /** Claimed: another caller is computing the value. With the old one, or null where there is none. */
    case Busy;

    /** No value, and no caller is computing it. */
    case Miss;
}

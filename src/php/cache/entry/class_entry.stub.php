<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Describes a key: the result of Cache::entry() and lookup(), the previous value that a computation of
 * Cache::remember() receives, and the details of the value that remember() returned.
 *
 * @strict-properties
 * @not-serializable
 */
final class Entry
{
    /** State of the key. For the entry of remember(), Elected means that this call has computed the value. */
    public readonly Status $status;

    /** The value, stale values included, or null if no value exists. */
    public readonly mixed $value;

    /** Seconds since the value was stored. Null if no value exists, and for a value from another client. */
    public readonly ?float $age;

    /** Seconds until the TTL expires, 0 or less for a stale or an invalidated value. Null without a value or a TTL. */
    public readonly ?float $expiresIn;

    /** Seconds that the computation of the value took. Null if it was not measured. */
    public readonly ?float $computeTime;

    private function __construct() {}
}

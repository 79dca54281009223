<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * What Cache::entry() and Cache::lookup() found under a key.
 *
 * @strict-properties
 * @not-serializable
 */
final class Entry
{
    /** Fresh, Stale (old, nobody rebuilds it), Busy (old, somebody does), Elected (this caller does) or Miss. */
    public readonly Status $status;

    /** The value, old ones included; null on a miss. */
    public readonly mixed $value;

    /** Seconds since the value was stored; null on a miss. */
    public readonly ?float $age;

    /** Seconds until the value's TTL ends, negative when it has; null on a miss or without a TTL. */
    public readonly ?float $expiresIn;

    /** Seconds it took to compute the value; null when nobody measured. */
    public readonly ?float $computeTime;

    private function __construct() {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * What Cache::entry() and Cache::lookup() found under a key, what a computation of Cache::remember() replaces, or
 * what remember() answered.
 *
 * @strict-properties
 * @not-serializable
 */
final class Entry
{
    /** Fresh, Stale (old, no caller rebuilds it), Busy (another caller computes it: the value is the old one or null), Elected (this caller does, or has just done so) or Miss. */
    public readonly Status $status;

    /** The value, old ones included; null where there is none. */
    public readonly mixed $value;

    /** Seconds since the value was stored; null without one, and for another client's value. */
    public readonly ?float $age;

    /** Seconds until the value's TTL ends, negative when it has, 0 or less when an invalidation has ended it; null without a value or a TTL. */
    public readonly ?float $expiresIn;

    /** Seconds it took to compute the value; null when it was not measured. */
    public readonly ?float $computeTime;

    private function __construct() {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Cache keys out of parameters: same parameters, same key, in every process and on every host.
 *
 * @strict-properties
 * @not-serializable
 */
final class Key
{
    private function __construct() {}

    /**
     * '<head>:<32 hex digits>': a head to read, and 128 bits of SHA-256 over a canonical form of
     * $parts (docs/spec/keys.md). Different parts give different keys: "1", 1, 1.0 and true
     * are four. The order of string keys does not count, at any level; the order of a list does.
     *
     * Parts may be null, scalars, arrays, enum cases, DateTimeInterface (instant and timezone),
     * JsonSerializable and Stringable objects (their class counts too). Anything else, a closure or
     * a resource for example, at any depth, is a TypeError, and so is an array that contains itself.
     * An empty head is a ValueError. Runs the objects' jsonSerialize() and __toString().
     *
     * With mcpatterns.report_key_drift, parts that equal others by == or are a list in another order,
     * and so make a second key, are an E_NOTICE that names both places.
     *
     * @phpstan-return non-falsy-string
     */
    public static function of(string $head, mixed ...$parts): string {}

    /**
     * Exactly md5(serialize($options)), for keys that must stay what they were. The order of array
     * keys counts. Throws what serialize() throws.
     *
     * @phpstan-return non-falsy-string
     */
    public static function md5(mixed $options): string {}
}

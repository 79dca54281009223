<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Makes cache keys from parameters. Equal parameters make the same key, in every process and on every host.
 *
 * No network access. See docs/classes/keys.md.
 *
 * @strict-properties
 * @not-serializable
 */
final class Key
{
    private function __construct() {}

    /**
     * Returns a key: $head, a colon, and 32 hexadecimal digits.
     *
     * The digits are 128 bits of SHA-256 over a canonical form of $parts: see docs/spec/keys.md#canonical-form.
     * Different parts make different keys: `"1"`, `1`, `1.0` and `true` are four. The order of string keys does not
     * count, at any level. The order of a list does.
     *
     * If `mcpatterns.report_key_drift` is on, a second key for parts that are equal by `==`, or are a list in another
     * order, causes an E_NOTICE that names both places.
     *
     * @param string $head Readable beginning of the key. It cannot be empty.
     * @phpstan-param mixed ...$parts
     *        The parameters: null, scalars, arrays, enum cases, DateTimeInterface (instant and timezone), and
     *        JsonSerializable or Stringable objects. Their class counts too. jsonSerialize() and __toString() are
     *        called.
     *
     * @phpstan-return non-falsy-string
     *
     * @throws \ValueError if $head is empty.
     * @throws \TypeError if a part, at any depth, has another type (a closure, a resource), contains itself, or is
     *        nested more than 128 deep.
     * @throws \Throwable if jsonSerialize() or __toString() throws.
     */
    public static function of(string $head, mixed ...$parts): string {}

    /**
     * Returns exactly `md5(serialize($options))`, for keys that must stay as they were. The order of array keys counts.
     *
     * @param mixed $options The parameters: any value that serialize() accepts.
     *
     * @phpstan-return non-falsy-string
     *
     * @throws \Throwable if serialize() throws.
     */
    public static function md5(mixed $options): string {}
}

<?php

/** @generate-class-entries static */

namespace McPatterns;

/**
 * Creates cache keys from parameters. Equal parameters give the same key in every process and on every host.
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
     * Different parts give different keys, even if only their types differ: `"1"`, `1`, `1.0` and `true` give 4 keys.
     * The order of string keys does not matter at any level. The order of a list matters.
     *
     * If `mcpatterns.report_key_drift` is on, an E_NOTICE reports that parts which are equal by `==`, or which contain
     * the same list in another order, gave different keys. The notice names both places in the code.
     *
     * @param string $head Readable beginning of the key, not empty.
     * @phpstan-param mixed ...$parts
     *        The parameters: null, scalars, arrays, enum cases, DateTimeInterface (instant and timezone), and
     *        JsonSerializable or Stringable objects. The class of an object is part of the key. jsonSerialize() and
     *        __toString() are called.
     *
     * @phpstan-return non-falsy-string
     *
     * @throws \ValueError if $head is empty.
     * @throws \TypeError if a part, at any depth, has another type (a closure, a resource), contains itself, or is
     *        nested more than 128 levels deep.
     * @throws \Throwable if jsonSerialize() or __toString() throws.
     */
    public static function of(string $head, mixed ...$parts): string {}

    /**
     * Returns exactly `md5(serialize($options))`, for code that must keep its existing keys. The order of array keys
     * matters.
     *
     * @param mixed $options The parameters: any value that serialize() accepts.
     *
     * @phpstan-return non-falsy-string
     *
     * @throws \Throwable if serialize() throws.
     */
    public static function md5(mixed $options): string {}
}

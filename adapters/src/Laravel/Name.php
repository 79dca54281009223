<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use InvalidArgumentException;
use Stringable;

use function Illuminate\Support\enum_value;

/** A key, tag or name as Laravel accepts it: a string, a number or an enum case. */
final class Name
{
    /** Maximum length of a tag in bytes. */
    private const LONGEST_TAG = 250;

    public static function ofTag(string $name): string
    {
        return strlen($name) <= self::LONGEST_TAG ? $name : 'long:' . hash('sha256', $name);
    }

    public static function of(mixed $given): string
    {
        if (is_string($given)) {
            return $given;
        }
        $value = enum_value($given);
        if (is_scalar($value) || $value instanceof Stringable) {
            return (string) $value;
        }
        throw new InvalidArgumentException('A name in the cache must be a string or a case of an enum, ' . get_debug_type($given) . ' given.');
    }
}

<?php
/* Declares Time\Duration of PHP 8.6, for versions of PHPStan that do not know this class. No code may load this
 * file. */
/* SPDX-License-Identifier: MIT */

namespace Time;

final readonly class Duration
{
    public int $seconds;
    public int $nanoseconds;
    public bool $negative;
}

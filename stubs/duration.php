<?php
/* PHP 8.6's class as the signatures in mcpatterns.php name it, for PHPStan where that does not know it. Nothing may load it. */
/* SPDX-License-Identifier: MIT */

namespace Time;

final readonly class Duration
{
    public int $seconds;
    public int $nanoseconds;
    public bool $negative;
}

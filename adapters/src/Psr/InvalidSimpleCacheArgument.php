<?php
/* What PSR-16 wants thrown for a key that is none. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use Psr\SimpleCache\InvalidArgumentException;

final class InvalidSimpleCacheArgument extends \InvalidArgumentException implements InvalidArgumentException
{
}

<?php
/* PSR-16's exception for an invalid key. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use Psr\SimpleCache\InvalidArgumentException;

final class InvalidSimpleCacheArgument extends \InvalidArgumentException implements InvalidArgumentException
{
}
